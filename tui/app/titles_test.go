package app

import (
	"slices"
	"testing"

	"github.com/google/uuid"

	"lens/retrieval"
	"lens/retrieval/query"
)

// firstOf returns the first turn of a conversation.
func (f *fakeEngine) firstOf(conversation uuid.UUID) uuid.UUID {
	at := slices.IndexFunc(f.turns, func(t retrieval.Turn) bool { return t.Conversation == conversation })
	return f.turns[at].TurnID
}

func TestTitles_LeadToTheFirstTurn(t *testing.T) {
	e := newFake(300)
	newest, oldest := e.turns[299].Conversation, e.turns[0].Conversation
	e.titles = []retrieval.TitleMatch{
		{Title: "Cancel culture", Conversation: newest, FirstTurn: e.firstOf(newest)},
		{Title: "How to c\x1b[2Jancel", Conversation: oldest, FirstTurn: e.firstOf(oldest)},
	}
	for _, height := range []int{38, 40} {
		d := explore(e, 22*height-760, height).search("cancel")
		d.mustShow(t, "Matches  A 2 titles")
		d.mustFill(t)
		d.mustBeHarmless(t)
		was := d.reader.Wanted()
		d.keys("2 A").mustShow(t, "Titles with words of the query")
		d.keys("down enter")
		if d.reader.Wanted() != e.firstOf(oldest) || d.focus != paneReader {
			t.Errorf("%v is open in pane %d, want %v", d.reader.Wanted(), d.focus, e.firstOf(oldest))
		}
		if d.keys("u"); d.reader.Wanted() != was {
			t.Error("u does not go back")
		}
	}
	d := explore(e, 59, 14).search("cancel").keys("2")
	d.mustFill(t)
	d.keys("A enter")
	if d.reader.Wanted() != e.firstOf(newest) {
		t.Error("A does not work where there is no room for the line")
	}
	e.titles = nil
	d = explore(e, 120, 40).search("cancel").keys("A")
	d.mustNotShow(t, "Titles with words of the query")
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
