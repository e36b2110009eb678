package main

import (
	"strings"
	"testing"

	"lens/retrieval"
)

func TestBestOf(t *testing.T) {
	for want, c := range map[string]retrieval.Coverage{
		"the best 100 of 1,720 matches": {Matching: 1720},
		"the best 100 matches":          {Matching: 104, Uncounted: true},
		"the nearest 100 turns":         {Matching: 1720, Faint: true},
	} {
		if got := bestOf(100, c); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	for want, c := range map[string]retrieval.Coverage{
		"the best match":   {Uncounted: true},
		"the nearest turn": {Matching: 1720, Faint: true},
	} {
		if got := bestOf(1, c); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// A plain screen shows no curly quotes around a word either.
func TestPrintTitles_PlainQuotes(t *testing.T) {
	s, printed := fakeScreen(t)
	s.ascii = true
	printTitles(s, &retrieval.Peek{
		Titles: []retrieval.TitleMatch{{Title: "Interview Struggles"}}, TitleCount: 1, TitleWord: "interview",
	})
	if got, _, _ := strings.Cut(printed(), "\n"); got != `1 conversation has "interview" in the title:` {
		t.Errorf("got %q", got)
	}
}
