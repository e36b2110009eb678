package retrieval_test

import (
	"testing"

	"lens/retrieval"
	"lens/retrieval/query"
)

func TestAlphaOf(t *testing.T) {
	for model, alpha := range map[string]float64{"use-lite": 0.2, "words": 0.4} {
		a := kitchen()
		a.generations[0].Model = model
		found := peek(t, retrieval.New(a, &words{model: model}), "zzyzx", query.Query{Mode: query.Hybrid})
		if got := *found.Matches[0].Score; got != alpha { // no turn has the word: the nearest scores by its vector alone
			t.Errorf("%s: the nearest turn scores %v, not %v", model, got, alpha)
		}
	}
}
