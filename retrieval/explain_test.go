package retrieval_test

import (
	"math"
	"testing"

	"lens/retrieval"
	"lens/retrieval/query"
)

// A score is the sum of the features that explain it, and only who asks for them gets them.
func TestPeek_Explain(t *testing.T) {
	e := retrieval.New(baker(), &words{})
	for _, text := range []string{"bread in May 2022", "when did the bread rise in May?"} {
		for _, mode := range []query.Mode{query.Keyword, query.Hybrid, query.Dense} {
			p := peek(t, e, text, query.Query{Mode: mode, Dates: query.DatesSoft, Explain: true})
			for i, m := range p.Matches {
				sum := 0.0
				for _, f := range m.Features {
					sum += f.Value * f.Weight
				}
				switch {
				case mode == query.Dense:
					if m.Features != nil {
						t.Errorf("%q, dense: match %d has features: %v", text, i, m.Features)
					}
				case len(m.Features) != 8:
					t.Errorf("%q, %s: match %d has %d features", text, mode, i, len(m.Features))
				case math.Abs(max(0, sum)-*m.Score) > 1e-9:
					t.Errorf("%q, %s: the score of match %d is %v, its features sum up to %v", text, mode, i, *m.Score, sum)
				}
			}
			if p = peek(t, e, text, query.Query{Mode: mode}); p.Matches[0].Features != nil {
				t.Errorf("%q, %s: explained without being asked", text, mode)
			}
		}
	}
}
