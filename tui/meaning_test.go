package tui

import (
	"testing"

	"lens/retrieval"
)

func TestASearchSaysWhichShareHasVectors(t *testing.T) {
	for name, c := range map[string]struct {
		mode  retrieval.Mode
		share float64
		want  string
	}{
		"half":              {retrieval.Hybrid, 0.43, "43% have vectors"},
		"nearly all":        {retrieval.Dense, 0.9999, "99% have vectors"},
		"all":               {retrieval.Hybrid, 1, ""},
		"words alone":       {retrieval.Keyword, 0.43, ""},
		"none, or not told": {retrieval.Hybrid, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := vectorWords(&retrieval.Peek{Mode: c.mode, Coverage: retrieval.Coverage{Embedded: c.share}}); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	e := newFake(200)
	e.embedded = 0.43
	explore(e, 120, 40).search("cancel").mustShow(t, "hybrid · 43% have vectors · 4 ms")
}
