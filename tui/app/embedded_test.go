package app

import (
	"context"
	"testing"

	"lens/retrieval"
	"lens/retrieval/query"
)

func TestStatus_ShareThatIsEmbedded(t *testing.T) {
	for name, c := range map[string]struct {
		mode  query.Mode
		share float64
		want  string
	}{
		"half":            {query.Hybrid, 0.43, "43% embedded"},
		"nearly all":      {query.Dense, 0.9999, "99% embedded"},
		"all":             {query.Hybrid, 1, ""},
		"keyword search":  {query.Keyword, 0.43, ""},
		"none or unknown": {query.Hybrid, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := vectorWords(&retrieval.Peek{Mode: c.mode, Coverage: retrieval.Coverage{Embedded: c.share}}); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	e := newFake(200)
	e.embedded = 0.43
	explore(e, 120, 40).search("cancel").mustShow(t, "words + meaning · 43% embedded · 4 ms")
}

// Turns that were embedded meanwhile are found by meaning, and the query bar says so.
func TestEmbedded_WhileTheExplorerIsOpen(t *testing.T) {
	e := newFake(300)
	d := atHome(e, 120, 40).mustShow(t, " by words or date")
	e.model = "use-lite"
	d.keys("/").mustShow(t, " by words, meaning or date")
}

// A search while turns were embedded is repeated after that, and nothing moves.
func TestEmbedded_SearchedAgainAtTheEnd(t *testing.T) {
	e := newFake(600)
	e.embedded = 0.43
	d := explore(e, 120, 40)
	d.search("lentils").keys("1 g n v l l l 2 j").mustShow(t, "43% embedded")
	brush, _ := d.timeline.Brushed()
	view, selected := d.timeline.Zoom().Span, d.results.Selected()
	d.enqueue(d.jobs.Start(Work{Name: "embedding", Unit: "turns", Do: func(context.Context, func(done, total int64)) (string, error) {
		e.embedded = 1
		return "searchable", nil
	}}))
	d.work()
	d.mustShow(t, "searchable").mustNotShow(t, "% embedded")
	if now, ok := d.timeline.Brushed(); !ok || now != brush || d.timeline.Zoom().Span != view || d.results.Selected() != selected {
		t.Errorf("the brush %v is now %v, the view %v is %v, and the cursor moved: %t", brush, now, view,
			d.timeline.Zoom().Span, d.results.Selected() != selected)
	}
}
