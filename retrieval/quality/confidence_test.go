package quality

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lens/internal/testenv"
	"lens/retrieval"
	"lens/retrieval/embed"
	"lens/retrieval/query"
)

// asked is a question, asked of the archive of the person who has the answer, or of somebody else's.
type asked struct {
	own        bool
	confidence float64
	cosine     float64 // the best; 0 without a model
	covered    float64 // the greatest share of the question that a turn holds
}

// checkConfidence asks every question of LoCoMo dev of two archives: that of its own two people and that of others.
// Names tell them apart too easily, so all is asked without them, too. Confidence must tell them apart.
func checkConfidence(t *testing.T, questions []question, model embed.Embedder) {
	t.Helper()
	modes := []query.Mode{query.Keyword}
	if model != nil {
		modes = append(modes, query.Hybrid)
	}
	floors := map[string]float64{ // of the area under the curve
		"keyword, named": .95, "keyword, masked": .8, "hybrid, named": .95, "hybrid, masked": .85,
	}
	for _, mode := range modes {
		for _, names := range []string{"named", "masked"} {
			all := askEveryone(t, questions, mode, names == "masked")
			name := string(mode) + ", " + names
			area, off := areaUnderCurve(all), calibrationError(all)
			if testing.Verbose() { // the fit takes seconds
				t.Logf("%s: %s", name, describeConfidence(all))
			}
			if mode == query.Hybrid && !isUseLite(model) {
				continue
			}
			if area < floors[name] || off > .1 {
				t.Errorf("%s: AUC %.3f, want at least %.2f; %.3f off, want at most .1", name, area, floors[name], off)
			}
		}
	}
}

// askEveryone asks each question of its own archive and of the next one.
func askEveryone(t *testing.T, questions []question, mode query.Mode, masked bool) (all []asked) {
	t.Helper()
	archives := archivesOf(questions)
	names := make([]*regexp.Regexp, len(archives))
	for i, a := range archives {
		names[i] = a.names(t)
	}
	for _, q := range questions {
		at := slices.Index(archives, q.archive)
		if masked {
			q.text = names[at].ReplaceAllString(q.text, "")
		}
		for _, of := range []int{at, (at + 1) % len(archives)} {
			if a, said := archives[of].doubt(t, q.text, mode, of == at); said {
				all = append(all, a)
			}
		}
	}
	return all
}

// names matches the names of the two people in the titles of an archive, such as "Caroline & Melanie - session 19".
func (a *archive) names(t *testing.T) *regexp.Regexp {
	t.Helper()
	catalog, err := a.Catalog(t.Context())
	testenv.Must(t, err)
	conversations, err := a.Conversations(t.Context(), catalog.Conversations[:1])
	testenv.Must(t, err)
	people, _, _ := strings.Cut(conversations[0].Title, " - ")
	one, other, both := strings.Cut(people, " & ")
	if !both {
		t.Fatalf("the title %q names no two people", conversations[0].Title)
	}
	return regexp.MustCompile(`\b(` + one + "|" + other + `)('s)?\b`)
}

// doubt asks a question; false where nothing is left of it without names and dates.
func (a *archive) doubt(t *testing.T, text string, mode query.Mode, own bool) (asked, bool) {
	t.Helper()
	peek := func(mode query.Mode) *retrieval.Peek {
		p, err := a.engine.Peek(t.Context(), query.Query{Text: text, Mode: mode, Snippets: new(1)})
		testenv.Must(t, err)
		return p
	}
	words := peek(query.Keyword).Coverage.Confidence
	if words == nil {
		return asked{}, false
	}
	result := asked{own: own, confidence: *words, covered: (logit(*words) + 3.15) / 7.2}
	if mode != query.Keyword {
		result.confidence = *peek(mode).Coverage.Confidence
		result.cosine = *peek(query.Dense).Matches[0].Similarity
	}
	return result, true
}

func logit(p float64) float64 { return math.Log(p / (1 - p)) }

// describeConfidence says how well confidence separates own questions from others', and how often confidence is right.
func describeConfidence(all []asked) string {
	var b strings.Builder
	low, high := areaInterval(all)
	fmt.Fprintf(&b, "%d questions, AUC %.3f [%.3f, %.3f], of the best cosine alone %.3f, off by %.3f\n", len(all),
		areaUnderCurve(all), low, high, areaOf(all, func(a asked) float64 { return a.cosine }), calibrationError(all))
	for _, bin := range binsOf(all) {
		fmt.Fprintf(&b, "  confidence %.3f: %4d questions, %.3f of them its own\n", bin.confidence, bin.n, bin.own)
	}
	for _, limit := range []float64{.1, .2, .3} {
		fmt.Fprintf(&b, "  below %.1f: %.3f of its own, %.3f of others'\n", limit, shareBelow(all, limit, true), shareBelow(all, limit, false))
	}
	fitted := fit(all)
	fmt.Fprintf(&b, "  fitted: σ(%.1f·cosine + %.1f·covered %+.1f)\n", fitted[0], fitted[1], fitted[2])
	return b.String()
}

func shareBelow(all []asked, limit float64, own bool) float64 {
	below, n := 0.0, 0.0
	for _, a := range all {
		if a.own == own {
			n++
			if a.confidence < limit {
				below++
			}
		}
	}
	return below / n
}

// areaUnderCurve is the probability that an own question has a greater confidence than another one.
func areaUnderCurve(all []asked) float64 {
	return areaOf(all, func(a asked) float64 { return a.confidence })
}

func areaOf(all []asked, of func(asked) float64) float64 {
	sorted := slices.SortedFunc(slices.Values(all), func(a, b asked) int { return cmp.Compare(of(a), of(b)) })
	var others, pairs, below float64 // others: seen so far
	for i := 0; i < len(sorted); {
		own, other := 0.0, 0.0
		for tie := of(sorted[i]); i < len(sorted) && of(sorted[i]) == tie; i++ {
			if sorted[i].own {
				own++
			} else {
				other++
			}
		}
		below += own * (others + other/2)
		others, pairs = others+other, pairs+own
	}
	return below / (pairs * others)
}

// areaInterval is the 95 % interval of areaUnderCurve: a bootstrap.
func areaInterval(all []asked) (low, high float64) {
	const samples = 400
	random := rand.New(rand.NewPCG(1, 2))
	areas, some := make([]float64, samples), make([]asked, len(all))
	for i := range areas {
		for j := range some {
			some[j] = all[random.IntN(len(all))]
		}
		areas[i] = areaUnderCurve(some)
	}
	slices.Sort(areas)
	return areas[samples/40], areas[samples-samples/40-1]
}

// bin is some questions of about the same confidence.
type bin struct {
	n               int
	confidence, own float64 // means
}

// binsOf returns the questions in five bins of .2 each, but for empty ones.
func binsOf(all []asked) []bin {
	bins := make([]bin, 5)
	for _, a := range all {
		b := &bins[min(4, int(a.confidence*5))]
		b.n++
		b.confidence += a.confidence
		if a.own {
			b.own++
		}
	}
	bins = slices.DeleteFunc(bins, func(b bin) bool { return b.n == 0 })
	for i := range bins {
		bins[i].confidence /= float64(bins[i].n)
		bins[i].own /= float64(bins[i].n)
	}
	return bins
}

// calibrationError is how far confidence is from the share of own questions, weighted by bin.
func calibrationError(all []asked) (off float64) {
	for _, b := range binsOf(all) {
		off += math.Abs(b.confidence-b.own) * float64(b.n) / float64(len(all))
	}
	return off
}

// fit returns the logistic regression of own questions by cosine and coverage: what a calibration should be.
func fit(all []asked) (w [3]float64) {
	const steps, rate = 20_000, 5
	for range steps {
		var gradient [3]float64
		for _, a := range all {
			x := [3]float64{a.cosine, a.covered, 1}
			wrong := -1 / (1 + math.Exp(-w[0]*x[0]-w[1]*x[1]-w[2]))
			if a.own {
				wrong++
			}
			for i := range w {
				gradient[i] += wrong * x[i]
			}
		}
		for i := range w {
			w[i] += rate * gradient[i] / float64(len(all))
		}
	}
	return w
}
