package app

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"lens/retrieval/query"
)

func TestMoreLikeThis_IsAHistoryEntry(t *testing.T) {
	d := explore(newFake(400), 120, 40).search("lentils").keys("2 j j")
	chosen, _ := d.results.Cursor()
	d.keys("x")
	if d.found.Peek == nil || d.found.Peek.Like != chosen.ID || d.bar.Text() != "" {
		t.Fatalf("x does not seek the like of %s", chosen.ID)
	}
	d.mustShow(t, "More like: Kitchen")
	d.keys("u")
	if now, _ := d.results.Cursor(); d.bar.Text() != "lentils" || now.ID != chosen.ID {
		t.Errorf("u goes back to %q and %v", d.bar.Text(), now)
	}
	d.keys("U")
	if d.found.Peek.Like != chosen.ID {
		t.Error("U does not go forward to the like of the turn")
	}
	d.search("apple")
	if d.found.Peek.Like != uuid.Nil || d.found.Peek.Query != "apple" {
		t.Error("what is typed does not take the place of the turn")
	}
}

func TestFilters_ApplyAndUndo(t *testing.T) {
	d := explore(newFake(400), 120, 40).search("cancel").keys("2 j")
	all := d.results.Len()
	d.keys("f enter")
	d.mustShow(t, "in “")
	if d.results.Len() == 0 || d.results.Len() >= all {
		t.Errorf("%d of %d matches are of one conversation", d.results.Len(), all)
	}
	d.keys("f down enter")
	if d.mustShow(t, "words only"); d.found.Peek.Mode != query.Keyword {
		t.Errorf("words only are searched in mode %s", d.found.Peek.Mode)
	}
	d.keys("u u")
	if len(d.bar.Search().Chips()) > 0 || d.results.Len() != all {
		t.Errorf("going back leaves %v and %d matches", d.bar.Search().Chips(), d.results.Len())
	}
}

func TestDates_DroppedAndRestored(t *testing.T) {
	e := newFake(400)
	d := explore(e, 120, 40).search("cancel in May 2023 source:chatgpt").keys("2")
	d.mustShow(t, "source:chatgpt", "near May 2023")
	d.keys("X").mustShow(t, "source:chatgpt").mustNotShow(t, "near May 2023")
	if d.found.Peek.Dates != nil {
		t.Error("the date is still more than words")
	}
	d.keys("X").mustNotShow(t, "source:chatgpt", "near May 2023")
	if d.keys("u u").mustShow(t, "source:chatgpt", "near May 2023"); d.found.Peek.Dates == nil {
		t.Error("u does not bring the date back")
	}
	next := again(t, d.keys("U"), e)
	if next.mustNotShow(t, "near May 2023"); !next.bar.Search().PlainDates {
		t.Error("the next run takes the date for more than words")
	}
	next.keys("u").mustShow(t, "near May 2023")
	next.search("reqwest in May 2023").mustShow(t, "near May 2023")
}

func TestDates_DroppedOrReadAgainStartAtBestMatch(t *testing.T) {
	d := explore(newFake(400), 120, 40).search("cancel in May 2023")
	mustStart := func(after string) {
		t.Helper()
		if item, _ := d.results.Cursor(); item.Rank != 1 {
			t.Errorf("after %s the cursor is on match %d", after, item.Rank)
		}
	}
	d.keys("2 j j j X")
	mustStart("X")
	d.keys("j j f c l e a r enter")
	mustStart("dates are read again")
}

func TestList_NewQueryStartsAtBestMatch(t *testing.T) {
	rank := func(d *driver) int {
		item, _ := d.results.Cursor()
		return item.Rank
	}
	d := explore(newFake(300), 120, 40).keys("2 j j").search("cancel")
	if rank(d) != 1 {
		t.Errorf("the cursor is on match %d", rank(d))
	}
	was := rank(d.keys("2 j j j"))
	d.search("reqwest")
	if rank(d) != 1 {
		t.Errorf("after another query the cursor is on match %d", rank(d))
	}
	d.keys("u")
	if rank(d) != was {
		t.Errorf("back leads to match %d, not %d", rank(d), was)
	}
	chosen := d.results.Selected()
	d.keys("2 f b y enter")
	if d.results.Selected() != chosen || d.bar.Query().Mode != query.Keyword {
		t.Error("a filter moved the cursor, or is not on")
	}
}

func TestMoreLikeThis_KeepsTheLeastSimilarity(t *testing.T) {
	e := newFake(400)
	d := explore(e, 120, 40).search("cancel similarity:0.4 source:chatgpt").keys("2 x")
	like := d.found.Peek.Like
	if !slices.Equal(d.bar.Search().Chips(), []string{"source:chatgpt", "similarity:0.4"}) || like == uuid.Nil {
		t.Fatalf("x looks for the like of %v, filtered by %q", like, d.bar.Search().Chips())
	}
	if next := again(t, d, e); !slices.Equal(next.bar.Search().Chips(), d.bar.Search().Chips()) || next.found.Peek.Like != like {
		t.Errorf("the next run looks for the like of %v, filtered by %q", next.found.Peek.Like, next.bar.Search().Chips())
	}
	d.keys("f b r a n c h enter")
	if !slices.Equal(d.bar.Search().Chips(), []string{"source:chatgpt", "branches:yes", "similarity:0.4"}) || d.found.Peek.Like != like {
		t.Errorf("another filter leaves %q: %s", d.bar.Search().Chips(), d.footer.Notice())
	}
	d.keys("X")
	if !slices.Equal(d.bar.Search().Chips(), []string{"source:chatgpt", "branches:yes"}) {
		t.Errorf("X leaves %q: %s", d.bar.Search().Chips(), d.footer.Notice())
	}
	d.keys("u / backspace")
	if d.bar.Similar().Turn != uuid.Nil || slices.Contains(d.bar.Search().Chips(), "similarity:0.4") || d.finder.Failure().Message != "" {
		t.Errorf("without the turn, the filters are %q: %s", d.bar.Search().Chips(), d.finder.Failure().Message)
	}
}

// A query that is only a date shows the turns of that time. With words, it is a date near which turns rank higher.
func TestQuery_OnlyADate(t *testing.T) {
	d := explore(newFake(1200), 120, 40).search("May 2023")
	from, to := time.Date(2023, 5, 1, 0, 0, 0, 0, time.UTC), time.Date(2023, 6, 1, 0, 0, 0, 0, time.UTC)
	if got := d.timeline.Zoom().Span; got.From != from.Unix() || got.To != to.Unix() || d.isSearching() || d.bar.Text() != "" {
		t.Errorf("%v are shown, %q is searched, the bar says %q", got, d.bar.Search().Text, d.bar.Text())
	}
	d.mustShow(t, "All time › May 2023", "newest first")
	if d.keys("u"); !d.timeline.Zoom().IsAll() {
		t.Error("u does not lead back")
	}
	d.search("lentils May 2023")
	if !d.timeline.Zoom().IsAll() || d.bar.Text() != "lentils May 2023" {
		t.Errorf("with words, %v are shown and the bar says %q", d.timeline.Zoom().Span, d.bar.Text())
	}
}

// What t understands, the query does, too.
func TestQuery_DatesAsInGoTo(t *testing.T) {
	for text, want := range map[string]string{
		"2024-W20":                          "All time › 13–19 May 2024",
		"week 20 2024":                      "All time › 13–19 May 2024",
		"de week van 15 mei 2024":           "All time › 13–19 May 2024",
		"2024-05..2024-06":                  "All time › May–Jun 2024",
		"what did I talk about in May 2024": "All time › May 2024",
	} {
		d := explore(newFake(1200), 120, 40).search(text)
		if d.mustShow(t, want, "newest first"); d.isSearching() || d.bar.Text() != "" {
			t.Errorf("%s searches for %q, the bar says %q", text, d.bar.Search().Text, d.bar.Text())
		}
	}
	if d := explore(newFake(1200), 120, 40).search("week 20 pregnancy"); d.bar.Search().Text != "week 20 pregnancy" {
		t.Errorf("searched is %q", d.bar.Search().Text)
	}
}

func TestQuery_RelativeDateOutsideOfTheArchive(t *testing.T) {
	for keys, at := range map[string]int{"/ l a s t space w e e k enter": 120, "1 t l a s t space w e e k enter": 80} {
		d := explore(newFake(1200), at, 40)
		last := *d.archive.Overview().Last
		d.ui.Now = func() time.Time { return last.AddDate(0, 0, 29) }
		if d.keys(keys).mustShow(t, "No turns", ". The archive ends on "); d.isSearching() || !d.timeline.Zoom().IsAll() {
			t.Errorf("%s searches for %q in %v", keys, d.bar.Search().Text, d.timeline.Zoom().Span)
		}
	}
}

func TestDateRange_InWords(t *testing.T) {
	d := explore(newFake(1200), 120, 40).keys("1 t M a y space 2 0 2 3 enter")
	d.mustShow(t, "All time › May 2023")
}

func TestQuery_OldTextIsSelected(t *testing.T) {
	for keys, want := range map[string]string{
		"a": "a", "left x": "lentilxs", "end x": "lentilsx", "backspace": "", "esc": "lentils", "ctrl+w": "", "home x": "xlentils",
	} {
		d := explore(newFake(300), 100, 30).search("lentils").keys("2 /")
		if !strings.Contains(d.View().Content, d.ui.Theme.Selection.Render("lentils")) {
			t.Fatalf("the text is not selected:\n%s", d.screen())
		}
		if d.keys(keys); d.bar.Text() != want {
			t.Errorf("%s makes it %q, not %q", keys, d.bar.Text(), want)
		}
		if strings.Contains(d.View().Content, d.ui.Theme.Selection.Render("lentils")) {
			t.Errorf("after %s the text is still selected", keys)
		}
	}
}

func TestQuery_UpRecallsEarlierOnes(t *testing.T) {
	d := explore(newFake(300), 100, 30).search("lentils").search("cancel source:chatgpt").search("apple").keys("/ up")
	if d.bar.Text() != "cancel source:chatgpt" || d.bar.Search().Text != "cancel source:chatgpt" {
		t.Fatalf("the query before it is %q, searched is %q", d.bar.Text(), d.bar.Search().Text)
	}
	if d.keys("up"); d.bar.Text() != "lentils" {
		t.Errorf("the one before that is %q", d.bar.Text())
	}
	d.keys("up").mustShow(t, "No earlier query")
	if d.keys("down down"); d.bar.Text() != "apple source:chatgpt" || d.focus != paneQuery {
		t.Errorf("the latest is %q", d.bar.Text())
	}
	if d.keys("down"); d.focus != paneResults {
		t.Error("below the latest are no matches")
	}
}
