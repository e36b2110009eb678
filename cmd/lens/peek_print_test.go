package main

import (
	"testing"

	"lens/retrieval"
)

func TestBestOf(t *testing.T) {
	for want, c := range map[string]retrieval.Coverage{
		"the best 100 of 1,720 matches": {Matching: 1720},
		"the best 100 matches":          {Matching: 104, Uncounted: true},
	} {
		if got := bestOf(100, c); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if got := bestOf(1, retrieval.Coverage{Uncounted: true}); got != "the best match" {
		t.Errorf("got %q", got)
	}
}
