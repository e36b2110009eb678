package app

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/uuid"

	"lens/retrieval"
)

// typed types a text, letter by letter.
func (d *driver) typed(text string) *driver {
	for _, r := range text {
		d.send(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	return d
}

// rail returns the signs at the right edge of the turn.
func (d *driver) rail() string {
	r := d.layout().at[paneReader]
	var signs strings.Builder
	for _, line := range strings.Split(d.screen(), "\n")[r.y+1 : r.y+r.h] {
		signs.WriteString(ansi.Cut(line, r.x+r.w-1, r.x+r.w))
	}
	return strings.TrimRight(signs.String(), " ")
}

func TestReading_RailFollowsTheTurn(t *testing.T) {
	e := newFake(6)
	d := explore(e, 120, 40).keys("2 G enter") // the oldest
	d.mustShow(t, "turn 1 of 6")
	if got := d.rail(); got != "█│││││" {
		t.Errorf("the rail is %q:\n%s", got, d.screen())
	}
	d.keys("] ]").mustShow(t, "turn 3 of 6")
	if got := d.rail(); got != "││█│││" {
		t.Errorf("two turns on it is %q", got)
	}
	r := d.layout().at[paneReader]
	l := d.layout()
	in := l.inside(paneReader)
	d.send(tea.MouseClickMsg{X: r.x + r.w - 1, Y: in.y, Button: tea.MouseLeft})
	if d.mustShow(t, "turn 1 of 6"); d.focus != paneReader || d.reader.Opened().TurnID != e.turns[0].TurnID {
		t.Errorf("a click on the rail opens %v", d.reader.Opened())
	}
	d.mustFill(t)
}

func TestReading_OutlineOfAFullPane(t *testing.T) {
	e := newFake(6)
	d := explore(e, 120, 40).keys("2 G enter z")
	for _, turn := range e.turns {
		d.mustShow(t, string([]rune(turn.User)[:8]))
	}
	d.mustFill(t)
}

func TestReading_Find(t *testing.T) {
	e := newFake(40)
	for i := range e.turns {
		e.turns[i].Assistant, e.turns[i].Conversation = "Nothing here.", e.turns[0].Conversation
	}
	e.turns[3].Assistant = strings.Repeat("\nA line.\n", 60) + "\nThe Heron.\n"
	e.turns[9].Assistant = "A heron."
	d := explore(e, 120, 40).keys("2 G enter")
	d.keys("ctrl+f").mustShow(t, "find › in this conversation")
	d.typed("heron").mustShow(t, "find › heron", "0 lines here · 2 turns")
	d.keys("enter")
	if d.reader.Opened().TurnID != e.turns[3].TurnID || !strings.Contains(d.screen(), "The Heron.") {
		t.Errorf("enter leads to\n%s", d.screen())
	}
	if d.keys("n"); d.reader.Opened().TurnID != e.turns[9].TurnID {
		t.Error("n does not go on in the next turn")
	}
	d.keys("n").mustShow(t, "No more hits in this conversation")
	if d.keys("N"); d.reader.Opened().TurnID != e.turns[3].TurnID {
		t.Error("N does not go back")
	}
	if d.keys("esc"); d.reader.IsFinding() || d.focus != paneReader {
		t.Error("esc does not leave it")
	}
	if d.keys("esc"); d.focus != paneResults {
		t.Error("a second esc does not leave the turn")
	}
	d.keys("3 ctrl+f").typed("x").keys("esc")
	if d.reader.IsFinding() || d.dialogs.IsOpen() {
		t.Error("esc while typing does not leave it")
	}
}

func TestReading_FindShowsItsHitsWhileTyping(t *testing.T) {
	e := newFake(6)
	e.turns[0].Assistant = "The heron."
	d := explore(e, 120, 40).keys("2 G enter ctrl+f").typed("heron")
	line := func() string {
		for line := range strings.Lines(d.View().Content) {
			if strings.Contains(ansi.Strip(line), "The heron.") {
				return line
			}
		}
		return ""
	}
	typing := line()
	if d.keys("enter"); typing == "" || line() != typing {
		t.Errorf("while typing the hit is drawn as %q, then as %q", typing, line())
	}
	if d.keys(":"); line() == typing {
		t.Error("beneath the commands it is not dimmed")
	}
}

func TestReading_FindEndsWithTheQuery(t *testing.T) {
	e := newFake(40)
	for i := range e.turns {
		e.turns[i].Conversation = e.turns[0].Conversation
	}
	d := explore(e, 120, 40).search("cancel").keys("2 enter ctrl+f").typed("the").keys("enter")
	d.mustShow(t, "“the”")
	if d.keys("1"); !d.reader.IsFinding() {
		t.Error("it ends without a new query")
	}
	if d.search("apple"); d.reader.IsFinding() {
		t.Errorf("it goes on:\n%s", d.screen())
	}
}

func TestReading_Versions(t *testing.T) {
	e := newFake(6)
	first, second := e.turns[0].TurnID, e.turns[1].TurnID
	e.versions = map[uuid.UUID][]uuid.UUID{first: {first, second}, second: {first, second}}
	d := explore(e, 120, 40).keys("2 G enter")
	d.mustShow(t, "1 of 2 ›").keys("!").mustShow(t, "2 of 2 ›")
	if d.reader.Opened().TurnID != second {
		t.Errorf("%v is open", d.reader.Opened())
	}
	e.turns[2].Answers = []retrieval.Answer{{TurnID: e.turns[2].TurnID}, {TurnID: e.turns[3].TurnID}}
	d = explore(e, 120, 40).keys("2 G enter ] ]")
	d.mustShow(t, "1 of 2 ›").keys("!")
	if d.reader.Opened().TurnID != e.turns[3].TurnID {
		t.Error("! does not lead to the other answer")
	}
}

func TestConversations_FromEverywhere(t *testing.T) {
	e := newFake(300)
	first := func(title string) uuid.UUID {
		all, _ := e.Conversations(t.Context())
		at := slices.IndexFunc(all, func(c retrieval.ListedConversation) bool { return c.Title == title })
		return all[at].FirstTurn
	}
	d := explore(e, 120, 40).keys("2 A").mustShow(t, "Conversations", "43 of 43", "Garden", "Kitchen")
	d.mustFill(t)
	d.typed("gard").mustShow(t, "of 43", "Garden").keys("enter")
	if d.reader.Opened().TurnID != first("Garden") || d.focus != paneReader {
		t.Errorf("pane %d reads %v", d.focus, d.reader.Opened())
	}
	d.keys("A * esc A tab tab tab").mustShow(t, "★", "1 of 43")
	saved := d.session(d.look())
	if len(saved.Starred) != 1 {
		t.Errorf("saved are %v", saved.Starred)
	}
	d.keys("esc u")
	again := explore(e, 120, 40)
	again.applySession(saved, false)
	again.keys("A").mustShow(t, "★")
	home := drive(Options{Archive: over(e), Settings: Settings{Home: true}}, 120, 40)
	if home.keys("A").typed("kit").keys("enter"); home.atHome || home.reader.Opened().TurnID != first("Kitchen 🍅") {
		t.Errorf("at home %t, reads %v", home.atHome, home.reader.Opened())
	}
}

// A whole title goes before how much is below, and half of one before which turn it is.
func TestTabHead_KeepsTheTitle(t *testing.T) {
	d := explore(newFake(3), 120, 40)
	for width, want := range map[int]string{
		70: "  Dense crumb in my boule                  turn 2 of 2 · 9 lines below",
		53: "  Dense crumb in my boule                 turn 2 of 2",
		40: "  Dense crumb in my boule    turn 2 of 2",
		33: "  Dense crumb in m…   turn 2 of 2",
		28: "  Dense crumb in my boule   ",
	} {
		head := ansi.Strip(d.tabHead(paneReader, "Dense crumb in my boule", "turn 2 of 2", "9 lines below", width))
		if head != want {
			t.Errorf("in %d cells it is %q, want %q", width, head, want)
		}
	}
}
