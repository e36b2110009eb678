package app

import (
	"encoding/json"
	"testing"

	"lens/retrieval"
)

func TestSourceFilter_OnlyOneSource(t *testing.T) {
	e := newFake(300)
	for i := range e.turns {
		if i%3 == 0 {
			e.turns[i].Source = "claude"
		}
	}
	d := explore(e, 120, 40).search("cancel")
	all := d.found.Peek.Histogram.Total
	d.keys("2 f s o u r c e enter").mustShow(t, "Source", "Any source", "chatgpt", "gemini")
	d.keys("c l a u enter").mustShow(t, "source:claude ✕")
	if n := d.found.Peek.Histogram.Total; n == 0 || n >= all {
		t.Errorf("%d of %d are found", n, all)
	}
	if kept := d.session(d.look()); kept.Places[kept.At].Text != "cancel source:claude" {
		t.Errorf("kept is %+v", kept.Places[kept.At])
	}
	d.keys("f c l e a r enter").mustNotShow(t, "source:claude ✕")
	if n := d.found.Peek.Histogram.Total; n != all {
		t.Errorf("without the filter %d are found", n)
	}
}

func TestSanitize_FileNames(t *testing.T) {
	e := newFake(30)
	for i := range e.turns {
		e.turns[i].Chunk = &retrieval.Chunk{Path: "a\x1b]52;c;ZXZpbA==\x07b.pdf", Filename: "\x9b31m", Meta: json.RawMessage("{\"x\":\"\u202e\x1b[2J\"}"), ClientTag: "\x1b]0;t\x07"}
	}
	d := explore(e, 120, 60).search("cancel").keys("5")
	d.mustShow(t, "b.pdf", "metadata")
	d.mustBeHarmless(t)
	d.keys("3")
	d.mustBeHarmless(t)
}
