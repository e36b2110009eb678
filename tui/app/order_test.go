package app

import "testing"

// With another order, the list begins at its top: what it shows is what the order says.
func TestOrder_ListBeginsAtItsTop(t *testing.T) {
	d := explore(newFake(600), 120, 40).search("lentils").keys("2 G")
	d.mustShow(t, " above")
	for _, order := range []string{"newest first", "oldest first", "best first"} {
		d.keys("s").mustShow(t, order)
		d.mustNotShow(t, " above")
		first := d.results.Rows()[0]
		if d.results.Selected() != first.ID || d.reader.Wanted() != first.ID {
			t.Errorf("%s: the cursor is not on the first row:\n%s", order, d.screen())
		}
		d.keys("G").mustShow(t, order+", ", " above")
	}
	d = explore(newFake(600), 120, 40).keys("2 G s").mustShow(t, "▸ Turns ", "oldest ")
	if d.mustNotShow(t, " above"); d.results.Selected() != d.results.Rows()[0].ID {
		t.Errorf("the cursor is not on the oldest turn:\n%s", d.screen())
	}
}

func TestOrder_OfMatchesIsSaved(t *testing.T) {
	e := newFake(600)
	d := explore(e, 120, 40).search("lentils").keys("2 s s")
	if next := again(t, d, e).mustShow(t, "oldest first"); next.results.Selected() != d.results.Selected() {
		t.Error("the next run has another match under the cursor")
	}
}

// A question about a time begins with its newest turns, however others were listed before.
func TestOrder_OfATimeIsTheNewestFirst(t *testing.T) {
	d := explore(newFake(600), 120, 40).keys("2 s").mustShow(t, "oldest ")
	d.search("May 2023").mustShow(t, "newest first")
}

// Searching for words changes nothing of the order that turns are listed in, whatever times the query names.
func TestOrder_OfTurnsOutlastsASearchInATime(t *testing.T) {
	for _, query := range []string{"lentils summer 2024", "lentils since:2023-06"} {
		d := explore(newFake(600), 120, 40).search("May 2023").keys("2 s").mustShow(t, "oldest ")
		if d.search(query); !d.results.Sorting().Oldest {
			t.Errorf("after %s the newest turns are listed first", query)
		}
		if d.keys("u"); !d.results.Sorting().Oldest {
			t.Errorf("back from %s the newest turns are listed first", query)
		}
	}
}
