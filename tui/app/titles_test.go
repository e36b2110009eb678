package app

import (
	"testing"

	"lens/retrieval"
	"lens/retrieval/query"
)

func TestTitles_LeadToTheFirstTurn(t *testing.T) {
	e := newFake(300)
	e.titles = []retrieval.TitleMatch{
		{Title: "Cancel culture", Conversation: e.turns[40].Conversation, FirstTurn: e.turns[40].TurnID},
		{Title: "How to c\x1b[2Jancel", Conversation: e.turns[9].Conversation, FirstTurn: e.turns[9].TurnID},
	}
	for _, height := range []int{30, 40} {
		d := explore(e, 4*height-40, height).search("cancel")
		d.mustShow(t, "In titles (A): Cancel culture · How to c")
		d.mustFill(t)
		d.mustBeHarmless(t)
		was := d.reader.Wanted()
		d.keys("2 A").mustShow(t, "In titles: enter opens", "▌ Cancel culture")
		d.keys("down enter")
		if d.reader.Wanted() != e.turns[9].TurnID || d.focus != paneReader {
			t.Errorf("%v is open in pane %d, want %v", d.reader.Wanted(), d.focus, e.turns[9].TurnID)
		}
		if d.keys("u"); d.reader.Wanted() != was {
			t.Error("u does not go back")
		}
	}
	d := explore(e, 59, 14).search("cancel").keys("2")
	d.mustFill(t)
	d.keys("A enter")
	if d.reader.Wanted() != e.turns[40].TurnID {
		t.Error("A does not work where there is no room for the line")
	}
	e.titles = nil
	d = explore(e, 120, 40).search("cancel").keys("A")
	d.mustNotShow(t, "In titles")
	d.mustShow(t, "No title has the words")
}

func TestNotice_OfTheSearchIsShown(t *testing.T) {
	e := newFake(300)
	e.notice = "1,000 of 12,310 turns with these words were read."
	explore(e, 120, 40).search("cancel").mustShow(t, e.notice)
	e.mode, e.notice = query.Keyword, "By words only: no model. "+e.notice
	d := explore(e, 120, 40).search("cancel").keys("1 2 1 2 1 2 1 2 1")
	d.mustShow(t, "1,000 of 12,310")
	d.mustNotShow(t, "no model")
}
