package quality

import (
	"cmp"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"lens/internal/testenv"
	"lens/retrieval/query"
	"lens/store"
	"lens/store/terms"
	"lens/retrieval/rank"
)

var wordRE = regexp.MustCompile(`[\p{L}\p{N}]+`)

func threeVariant(t *testing.T, a *archive, stop, whole bool, least int) []question {
	var turns []store.Turn
	df := map[string]int{}
	wordsOf := func(text string) []string {
		var ws []string
		for _, w := range wordRE.FindAllString(strings.ToLower(text), -1) {
			if stop && terms.IsStopWord(w) { continue }
			if len(w) < least { continue }
			ws = append(ws, w)
		}
		slices.Sort(ws)
		return slices.Compact(ws)
	}
	for turn, err := range a.EachTurn(t.Context(), store.Filter{}) {
		testenv.Must(t, err)
		if !turn.OnPath || turn.UserText == "" { continue }
		turns = append(turns, turn)
		text := turn.UserText
		if whole { text += "\n" + turn.AssistantText }
		for _, w := range wordsOf(text) { df[w]++ }
	}
	rng := rand.New(rand.NewPCG(1, 2))
	rng.Shuffle(len(turns), func(i, j int) { turns[i], turns[j] = turns[j], turns[i] })
	var qs []question
	seen := map[string][]uuid.UUID{}
	for _, turn := range turns { k := strings.Join(wordsOf(turn.UserText), " "); seen[k] = append(seen[k], turn.ID) }
	for _, turn := range turns {
		ws := wordsOf(turn.UserText)
		if len(ws) < 3 || len(qs) == 500 { continue }
		idf := func(w string) float64 { return math.Log(float64(len(turns)) / float64(df[w])) }
		var all []float64
		for _, w := range ws { all = append(all, idf(w)) }
		slices.Sort(all)
		median := all[len(all)/2]
		slices.SortStableFunc(ws, func(x, y string) int { return cmp.Compare(math.Abs(idf(x)-median), math.Abs(idf(y)-median)) })
		three := ws[:3]
		rng.Shuffle(3, func(i, j int) { three[i], three[j] = three[j], three[i] })
		rel := map[uuid.UUID]bool{turn.ID: true}
		qs = append(qs, question{archive: a, text: strings.Join(three, " "), relevant: rel})
	}
	return qs
}

func TestThree(t *testing.T) {
	model := openModel(t)
	known := knownItem(t, model)
	a := known[0].archive
	cran := cranfield(t, model)
	loco := locomo(t, model)
	for _, aw := range []float64{1, 1.25, 1.5, 2, 3} {
		rank.AW = aw
		for _, m := range []query.Mode{query.Keyword, query.Hybrid} {
			k, c, l := measure(t, known, m), measure(t, cran, m), measure(t, loco, m)
			t1, t4 := measure(t, threeVariant(t, a, true, false, 1), m), measure(t, threeVariant(t, a, true, false, 4), m)
			t.Logf("all words %.2f %s: known MRR %.4f R10 %.4f cran nDCG %.4f loco %.4f/%.4f three %.4f %.4f", aw, m, k.reciprocal, k.r10, c.ndcg, l.r10, l.ndcg, t1.reciprocal, t4.reciprocal)
		}
	}
}
