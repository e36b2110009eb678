package retrieval_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"lens/internal/errs"
	"lens/retrieval"
	"lens/retrieval/query"
	"lens/store"
)

func peek(t *testing.T, e *retrieval.Engine, text string, opts query.Query) *retrieval.Peek {
	t.Helper()
	opts.Text = text
	p, err := e.Peek(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func titlesAndDates(p *retrieval.Peek) []string {
	var out []string
	for _, m := range p.Matches {
		date := "undated"
		if m.Time != nil {
			date = m.Time.Format(time.DateOnly)
		}
		out = append(out, m.Title+" "+date)
	}
	return out
}

func TestPeek_CountsTopKAndListsFirst(t *testing.T) {
	p := peek(t, retrieval.New(kitchen(), nil), "sourdough starter", query.Query{Snippets: new(2), Bin: "month"})
	if got := len(p.Matches); got != 2 {
		t.Errorf("%d matches are listed", got)
	}
	h := p.Histogram
	if h.Total != 5 || h.Undated != 1 || len(p.Times) != 4 || !slices.IsSorted(p.Times) {
		t.Errorf("total %d, undated %d, times %v", h.Total, h.Undated, p.Times)
	}
	var counts, baselines []int
	for i, b := range h.Bins {
		counts, baselines = append(counts, b.Count), append(baselines, b.Baseline)
		if i > 0 && !h.Bins[i-1].End.Equal(b.Start) {
			t.Errorf("bin %d does not begin where the last ends", i)
		}
	}
	// January 2023 to March 2024. The turn off the path is in no count.
	if !slices.Equal(counts, []int{1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2}) {
		t.Errorf("counts %v", counts)
	}
	if !slices.Equal(baselines, []int{1, 2, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2}) {
		t.Errorf("baselines %v", baselines)
	}
	if h.Bin != "month" || !h.Bins[0].Start.Equal(time.Date(2023, 1, 1, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("bin %s from %v", h.Bin, h.Bins[0].Start)
	}
}

func TestPeek_AutomaticBin(t *testing.T) {
	e := retrieval.New(kitchen(), nil)
	if got := peek(t, e, "sourdough", query.Query{}).Histogram.Bin; got != "month" {
		t.Errorf("over 15 months with 60 bins: %s", got)
	}
	if got := peek(t, e, "sourdough", query.Query{AutoBins: 100}).Histogram.Bin; got != "week" {
		t.Errorf("over 15 months with 100 bins: %s", got)
	}
	if got := peek(t, e, "sourdough", query.Query{Filter: query.Filter{Since: day("2024-03-01")}}).Histogram.Bin; got != "hour" {
		t.Errorf("over a day: %s", got)
	}
}

func TestPeek_BinTooFine(t *testing.T) {
	turns := slices.Concat(conversationOf("Old", [3]string{"1990-01-01", "sourdough", "starter"}), conversationOf("New", [3]string{"2024-01-01", "sourdough", "starter"}))
	_, err := retrieval.New(newFakeSource(1, turns), nil).Peek(t.Context(), query.Query{Text: "sourdough", Bin: "hour"})
	if errs.CodeOf(err) != errs.Invalid {
		t.Errorf("got %v", err)
	}
}

func TestPeek_Filters(t *testing.T) {
	e := retrieval.New(kitchen(), &words{})
	for name, c := range map[string]struct {
		opts query.Query
		want []string
	}{
		"a window drops the undated and is half-open": {
			query.Query{Filter: query.Filter{Since: day("2023-01-10"), Until: day("2024-03-05")}}, []string{"Bread 2023-01-10", "Bread 2023-04-02"},
		},
		"an open end":                      {query.Query{Filter: query.Filter{Since: day("2023-02-02")}}, []string{"Bread 2023-04-02", "Later 2024-03-05", "Later 2024-03-06"}},
		"a conversation":                   {query.Query{Filter: query.Filter{Conversations: query.Values[uuid.UUID]{In: []uuid.UUID{uuid.NewSHA1(uuid.Nil, []byte("Bread"))}}}}, []string{"Bread 2023-01-10", "Bread 2023-04-02"}},
		"a conversation that is not there": {query.Query{Filter: query.Filter{Conversations: query.Values[uuid.UUID]{In: []uuid.UUID{uuid.NewSHA1(uuid.Nil, []byte("?"))}}}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			c.opts.Mode = query.Keyword
			p := peek(t, e, "sourdough starter", c.opts)
			got := titlesAndDates(p)
			slices.Sort(got)
			if !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

func TestPeek_AllBranches(t *testing.T) {
	for _, mode := range []query.Mode{query.Keyword, query.Dense, query.Hybrid} {
		e := retrieval.New(kitchen(), &words{})
		for _, all := range []bool{false, true} {
			p := peek(t, e, "crust stays soft", query.Query{Mode: mode, Filter: query.Filter{Branches: all}})
			found := slices.ContainsFunc(p.Matches, func(m retrieval.Match) bool { return !m.OnPath })
			if found != all {
				t.Errorf("%s, all branches %v: found %v", mode, all, found)
			}
		}
	}
}

func TestPeek_DenseScoreIsSimilarity(t *testing.T) {
	p := peek(t, retrieval.New(kitchen(), &words{}), "Can a sourdough starter be frozen?", query.Query{Mode: query.Dense})
	if len(p.Matches) != 6 || p.Matches[0].Time.Format(time.DateOnly) != "2023-04-02" {
		t.Errorf("%v", titlesAndDates(p))
	}
	for i, m := range p.Matches {
		if m.Similarity == nil || *m.Similarity != *m.Score || i > 0 && *m.Score > *p.Matches[i-1].Score {
			t.Errorf("match %d: score %v, similarity %v", i, m.Score, m.Similarity)
		}
	}
}

func TestPeek_SimilarityNull(t *testing.T) {
	e := retrieval.New(kitchen(), &words{})
	for _, m := range peek(t, e, "sourdough", query.Query{Mode: query.Keyword}).Matches {
		if m.Similarity != nil {
			t.Errorf("keyword mode: %v", *m.Similarity)
		}
	}
	for _, m := range peek(t, e, "thanks for the sourdough", query.Query{Mode: query.Hybrid}).Matches {
		if lacks := m.AssistantMessage != nil && m.AssistantSnippet == ""; lacks != (m.Similarity == nil) {
			t.Errorf("%s: similarity %v", m.UserSnippet, m.Similarity)
		}
	}
}

func TestPeek_Coverage(t *testing.T) {
	e := retrieval.New(kitchen(), &words{})
	c := peek(t, e, "sourdough", query.Query{}).Coverage
	if c.Candidates != 7 || c.Embedded != 1 || c.Matching != 7 || c.Truncated {
		t.Errorf("%+v", c)
	}
	for _, mode := range []query.Mode{query.Keyword, query.Dense, query.Hybrid} {
		c = peek(t, e, "sourdough", query.Query{TopK: new(2), Mode: mode, Filter: query.Filter{Since: day("2023-01-01")}}).Coverage
		if c.Candidates != 6 || !c.Truncated || c.Matching <= 2 || c.Matching > 6 {
			t.Errorf("%s: %+v", mode, c)
		}
	}
	half := kitchen()
	half.generations[0].Vectors = 3
	if got := peek(t, retrieval.New(half, nil), "sourdough", query.Query{}).Coverage.Embedded; got != 0.5 {
		t.Errorf("3 of 6 turns embedded is a share of %v", got)
	}
}

func TestPeek_ZoomUsesCaches(t *testing.T) {
	a, model := kitchen(), &words{}
	e := retrieval.New(a, model)
	for _, since := range []string{"2023-01-01", "2023-02-01", "2024-01-01"} {
		peek(t, e, "sourdough starter", query.Query{Filter: query.Filter{Since: day(since)}})
	}
	if model.asked.Load() != 1 || a.postingReads.Load() != 2 { // of the languages, and of the words
		t.Errorf("embedded %d times, postings read %d times", model.asked.Load(), a.postingReads.Load())
	}
	for i := range 9 { // evicts the query's scores, not its vector and postings
		peek(t, e, fmt.Sprint("other ", i), query.Query{Mode: query.Keyword})
	}
	peek(t, e, "sourdough starter", query.Query{})
	if model.asked.Load() != 1 || a.postingReads.Load() != 11 {
		t.Errorf("embedded %d times, postings read %d times", model.asked.Load(), a.postingReads.Load())
	}
}

func TestPeek_NewCommit(t *testing.T) {
	source := &replaceable{kitchen()}
	e := retrieval.New(source, nil)
	before := peek(t, e, "sourdough", query.Query{})
	source.fakeSource = source.without(before.Matches[0].TurnID)
	after := peek(t, e, "sourdough", query.Query{})
	if after.Histogram.Total != before.Histogram.Total-1 || after.Matches[0].TurnID == before.Matches[0].TurnID {
		t.Errorf("%v, then %v", titlesAndDates(before), titlesAndDates(after))
	}
	if fresh := peek(t, retrieval.New(source, nil), "sourdough", query.Query{}); !slices.EqualFunc(fresh.Matches, after.Matches, sameMatch) {
		t.Errorf("%v, a new engine says %v", after.Matches, fresh.Matches)
	}
}

func sameMatch(a, b retrieval.Match) bool { return a.TurnID == b.TurnID && *a.Score == *b.Score }

// replaceable is an archive that a writer replaces.
type replaceable struct{ *fakeSource }

func TestPeek_TurnVanishesMeanwhile(t *testing.T) {
	source := &replaceable{kitchen()}
	races := 0
	old := source.fakeSource
	source.vanish = func(ids []uuid.UUID) {
		races++
		source.fakeSource = old.without(ids[0])
		delete(old.turns, ids[0])
	}
	p := peek(t, retrieval.New(source, &words{}), "sourdough", query.Query{})
	if races != 1 || len(p.Matches) == 0 {
		t.Errorf("%d races, %d matches", races, len(p.Matches))
	}
}

func TestPeek_IdentifierFirst(t *testing.T) {
	turns := slices.Concat(
		conversationOf("Errors", [3]string{"2023-01-01", "err err err 42 42", "err 42 err 42 err 42"}, [3]string{"2023-01-02", "err 42", "42 err"}),
		conversationOf("Long", [3]string{"2023-02-01", "What is it?", strings.Repeat("It was a very long day at work. ", 50) + "Then ERR_42 came."}),
	)
	for _, mode := range []query.Mode{query.Keyword, query.Hybrid} {
		p := peek(t, retrieval.New(newFakeSource(1, turns), &words{}), "ERR_42", query.Query{Mode: mode})
		if p.Matches[0].Title != "Long" || !strings.Contains(p.Matches[0].AssistantSnippet, "ERR_42") {
			t.Errorf("%s: %v", mode, titlesAndDates(p))
		}
	}
}

func TestEngine_Concurrent(t *testing.T) {
	source := &replaceable{kitchen()}
	e := retrieval.New(source, &words{})
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 30 {
				text := vocabulary[(i+j)%len(vocabulary)]
				p, err := e.Peek(t.Context(), query.Query{Text: text, TopK: new(1 + j%5)})
				if err != nil || p.Query != text || p.Histogram.Total > 1+j%5 {
					t.Errorf("%+v, %v", p, err)
				}
				if _, err := e.Activity(t.Context(), query.Query{}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

func TestPeek_MissingTurn(t *testing.T) {
	a := kitchen()
	reads := 0
	a.vanish = func(ids []uuid.UUID) { // and the catalog does not know
		reads++
		delete(a.turns, ids[0])
	}
	_, err := retrieval.New(a, nil).Peek(t.Context(), query.Query{Text: "sourdough"})
	if errs.CodeOf(err) != errs.NotFound || reads != 1 {
		t.Errorf("after %d reads: %v", reads, err)
	}
}

var vocabulary = []string{"sourdough", "starter", "bread", "request", "context", "cancel", "oven", "flour", "error", "freeze", "rye", "warm"}

// randomArchive has n turns of random words, in conversations of a few turns over a year, some undated, some off the path.
func randomArchive(random *rand.Rand, n int) *fakeSource {
	some := func() (text string) {
		for range 1 + random.IntN(8) {
			text += vocabulary[random.IntN(len(vocabulary))] + " "
		}
		return text
	}
	var turns []store.Turn
	for conversation := 0; len(turns) < n; conversation++ {
		exchanges := make([][3]string, 1+random.IntN(4))
		for i := range exchanges {
			date := day("2023-01-01").AddDate(0, 0, random.IntN(365)).Format(time.DateOnly)
			if random.IntN(12) == 0 {
				date = ""
			}
			exchanges[i] = [3]string{date, some(), some()}
		}
		for _, t := range conversationOf(fmt.Sprint("talk ", conversation), exchanges...) {
			t.OnPath = random.IntN(8) > 0
			t.UserMessage = uuid.Nil
			turns = append(turns, t)
		}
	}
	return newFakeSource(1, turns)
}

func TestPeek_BestOfWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		a := randomArchive(random, 120)
		e := retrieval.New(a, &words{})
		text := vocabulary[random.IntN(len(vocabulary))] + " " + vocabulary[random.IntN(len(vocabulary))]
		mode := rapid.SampledFrom([]query.Mode{query.Keyword, query.Dense}).Draw(t, "mode")
		since := day("2023-01-01").AddDate(0, 0, rapid.IntRange(0, 300).Draw(t, "from"))
		until := since.AddDate(0, 0, rapid.IntRange(1, 200).Draw(t, "days"))
		k := rapid.IntRange(1, 30).Draw(t, "k")

		all, err := e.Peek(t.Context(), query.Query{Text: text, Mode: mode, TopK: new(1000), Snippets: new(100), Filter: query.Filter{Branches: true}})
		if err != nil {
			t.Fatal(err)
		}
		var want []uuid.UUID // the rest of a full search within the window
		for _, m := range all.Matches {
			if m.Time != nil && !m.Time.Before(since) && m.Time.Before(until) && m.OnPath && len(want) < k {
				want = append(want, m.TurnID)
			}
		}
		narrow, err := e.Peek(t.Context(), query.Query{Text: text, Mode: mode, TopK: new(k), Snippets: new(100), Filter: query.Filter{Since: since, Until: until}})
		if err != nil {
			t.Fatal(err)
		}
		var got []uuid.UUID
		for _, m := range narrow.Matches {
			got = append(got, m.TurnID)
		}
		if len(all.Matches) < 100 && !slices.Equal(got, want) || len(got) < len(want) {
			t.Fatalf("%s: found %d, want %d", mode, len(got), len(want))
		}
	})
}

// The noise floor comes from the whole archive, so a window holds exactly what the whole archive has there.
func TestPeek_HybridWindow(t *testing.T) {
	a := randomArchive(rand.New(rand.NewPCG(3, 4)), 600)
	since, until := day("2023-06-01"), day("2023-07-01")
	e := retrieval.New(a, &words{})
	inWindow := 0
	for _, second := range peek(t, e, "sourdough oven", query.Query{TopK: new(1000)}).Times {
		if second >= since.Unix() && second < until.Unix() {
			inWindow++
		}
	}
	p := peek(t, e, "sourdough oven", query.Query{TopK: new(1000), Snippets: new(100), Filter: query.Filter{Since: since, Until: until}})
	if p.Histogram.Total != inWindow || inWindow == 0 || inWindow == p.Coverage.Candidates || p.Coverage.Truncated || p.Coverage.Faint {
		t.Errorf("%d turns of the window, %d by the whole archive, of %d; %+v", p.Histogram.Total, inWindow, p.Coverage.Candidates, p.Coverage)
	}
	for i, m := range p.Matches {
		if m.Time.Before(since) || !m.Time.Before(until) || i > 0 && *m.Score > *p.Matches[i-1].Score || m.Similarity == nil {
			t.Errorf("match %d: %v, score %v, similarity %v", i, m.Time, m.Score, m.Similarity)
		}
	}
}

func TestPeek_Faint(t *testing.T) {
	a := randomArchive(rand.New(rand.NewPCG(3, 4)), 600)
	e := retrieval.New(a, &words{})
	for _, mode := range []query.Mode{query.Hybrid, query.Dense} {
		if p := peek(t, e, "zzzzqqqq", query.Query{Mode: mode}); !p.Coverage.Faint || len(p.Matches) == 0 {
			t.Errorf("%s: %d matches, %+v", mode, len(p.Matches), p.Coverage)
		}
	}
	if p := peek(t, e, "sourdough", query.Query{}); p.Coverage.Faint {
		t.Error("a query with matches is faint")
	}
	if p := peek(t, retrieval.New(kitchen(), &words{}), "sourdough starter", query.Query{Mode: query.Dense}); p.Coverage.Faint {
		t.Error("a dense query with matches is faint")
	}
}

func TestPeek_Timing(t *testing.T) {
	p := peek(t, retrieval.New(kitchen(), &words{}), "sourdough starter", query.Query{})
	if at := p.Timing; at.Embed <= 0 || at.Search <= 0 || at.Total < at.Embed+at.Search {
		t.Errorf("got %+v", at)
	}
}
