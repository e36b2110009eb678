package app

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"lens/retrieval"
	"lens/retrieval/query"
)

// rare returns an archive in which only the last turn mentions zebras.
func rare() *fakeEngine {
	e := newFake(300)
	e.turns[len(e.turns)-1].User = "How fast are zebras?"
	return e
}

// typeIn types into the query and leaves the focus there.
func (d *driver) typeIn(text string) *driver {
	d.keys("/ end ctrl+u")
	for _, r := range text {
		d.send(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	return d
}

func TestNoMatches_WindowHintsFitTheFocus(t *testing.T) {
	d := explore(rare(), 120, 40).keys("1 g enter").typeIn("zebras")
	d.mustShow(t, "No matches in this window", "The whole archive has 1 match", "esc, then 0 show all · u back")
	d.keys("esc")
	d.mustNotShow(t, "then 0")
	d.keys("2").mustShow(t, "  0 show all · u back")
	d.keys("0")
	if d.results.Len() != 1 {
		t.Errorf("following the hint gives %d matches, want 1", d.results.Len())
	}
}

func TestNoMatches_WholeArchive(t *testing.T) {
	d := explore(rare(), 120, 40).keys("1 g enter").typeIn("unicorns")
	d.mustShow(t, "No matches. Try other words")
	d.mustNotShow(t, "show all ·")
}

func TestMeaningHint_DisappearsOnceRead(t *testing.T) {
	e := newFake(300)
	e.mode = query.Keyword
	d := explore(e, 80, 24).search("cancel")
	d.mustShow(t, "By words only")
	d.mustFill(t)
	d.keys(strings.Repeat("h ", hintRead))
	d.mustNotShow(t, "By words only")
	d.mustShow(t, "words only")
	d.search("apple")
	d.mustNotShow(t, "By words only")
}

func TestTitles_StayWhenTheFocusMoves(t *testing.T) {
	d := explore(newFake(300), 120, 40).search("cancel")
	columns := func() (at [3]int) {
		for i, title := range []string{"All time", "Matches", "Turn"} {
			for line := range strings.Lines(d.screen()) {
				if n := strings.Index(strings.ReplaceAll(line, "▸", " "), " "+title+" "); n >= 0 {
					at[i] = len([]rune(line[:n]))
					break
				}
			}
		}
		return at
	}
	before := columns()
	for range d.ring() {
		if d.keys("tab"); columns() != before {
			t.Errorf("titles moved from %v to %v", before, columns())
		}
	}
}

func TestTally_BestOfMany(t *testing.T) {
	d := explore(newFake(1200), 120, 40).search("cancel")
	if !d.found.Peek.Coverage.Truncated {
		t.Fatal("the archive has too few matches for this test")
	}
	d.mustShow(t, "best 400 matches")
	d.mustNotShow(t, "400 in view")
}

// Beside how many matches have the words, that the others are near in meaning needs no words.
func TestTally_ImpliesHowWasSearched(t *testing.T) {
	for want, p := range map[string]retrieval.Peek{
		"words + meaning": {Mode: query.Hybrid, Occurrences: &retrieval.Occurrences{}},
		"":                {Mode: query.Hybrid, Occurrences: &retrieval.Occurrences{Histogram: retrieval.Histogram{Total: 3}}},
		"words only":      {Mode: query.Keyword, Occurrences: &retrieval.Occurrences{Histogram: retrieval.Histogram{Total: 3}}},
		"meaning":         {Mode: query.Dense},
	} {
		if got := modeName(&p); got != want {
			t.Errorf("%v is %q, want %q", p.Mode, got, want)
		}
	}
}

func TestTally_NearestAreNotMatches(t *testing.T) {
	e := newFake(600)
	e.faint = true
	d := explore(e, 120, 40).search("cancel")
	d.mustShow(t, "the 400 nearest · words + meaning", "  Nearest  ", "No clear match; showing the nearest")
	d.mustNotShow(t, "400 matches")
	d.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	d.mustShow(t, "400 nearest")
}

func TestHelp_ExplainsTheChart(t *testing.T) {
	d := explore(newFake(10), 120, 60)
	d.keys("? s i g n s").mustShow(t,
		"Signs of the chart",
		"▆▆  all turns",
		"incomplete (partly in view)",
		"brush (selected bins)",
	)
}
