package proof

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/tui/dialog"
	"lens/tui/theme"
	"lens/tui/ui"
	"lens/tui/ui/uitest"
)

var turn = uuid.MustParse("00000000-0000-4000-8000-000000000001")

// notes answers from one note, and fails at paranoid.
type notes struct{ asked []string }

func (n *notes) Levels() []string { return []string{"standard", "strict", "paranoid"} }

func (n *notes) Ask(ctx context.Context, question, level string) (Answer, error) {
	n.asked = append(n.asked, level+": "+question)
	if level == "paranoid" {
		return Answer{}, errors.New("this system offers no block")
	}
	return Answer{
		Text: "“Feed it twice.”\x1b[31m", Basis: "4 kinds of socket refused",
		Hits: []Hit{{ID: turn.String(), Cited: "notes.md", Says: "Feed it\ntwice."}},
	}, ctx.Err()
}

func asking(n *notes) (*Dialog, *ui.Context) {
	c := uitest.Context(theme.ASCII)
	d := New(c, n, Options{Question: "how often?", Read: func(id uuid.UUID) tea.Cmd {
		c.Post(id)
		return nil
	}})
	d.SetSize(80, 24)
	return d, c
}

func (d *Dialog) mustShow(t *testing.T, wanted ...string) {
	t.Helper()
	uitest.MustShow(t, d.View(), wanted...)
}

func TestDialog_AsksAtEveryLevel(t *testing.T) {
	n := &notes{}
	d, _ := asking(n)
	cmd := d.Requests()
	d.mustShow(t, `Offline search: "how often?"`, "[standard]", "Verifying that nothing can leave")
	d.Update(cmd())
	d.mustShow(t, "Feed it twice.", "notes.md", "4 kinds of socket refused")
	if d.Requests() != nil {
		t.Error("it asks again")
	}
	for range 2 {
		d.Update(uitest.Key("right"))
		d.Update(d.Requests()())
	}
	d.mustShow(t, "[paranoid]", "this system offers no block")
	if want := []string{"standard: how often?", "strict: how often?", "paranoid: how often?"}; !slices.Equal(n.asked, want) {
		t.Errorf("asked %q", n.asked)
	}
	if strings.Contains(strings.Join(d.View(), ""), "\x1b[31m") {
		t.Error("the answer reaches the terminal as it is")
	}
}

func TestDialog_LateAnswerIsDropped(t *testing.T) {
	d, _ := asking(&notes{})
	cmd := d.Requests()
	d.Update(uitest.Key("l"))
	next := d.Requests()
	if msg := cmd(); msg != nil {
		t.Errorf("a canceled search returns %v", msg)
	}
	d.mustShow(t, "[strict]", "Verifying")
	d.Update(next())
	d.mustShow(t, "Feed it twice.")
	if d.Stop() {
		t.Error("an answered search is still under way")
	}
}

func TestDialog_ReadsAHit(t *testing.T) {
	d, c := asking(&notes{})
	if _, done := d.Update(uitest.Key("enter")); done {
		t.Error("without a hit it closes")
	}
	d.Update(d.Requests()())
	if _, done := d.Update(uitest.Key("enter")); !done || !slices.Equal(c.Posted(), []any{turn}) {
		t.Error("the hit is not read")
	}
}

func TestDialog_PassesAPasteOn(t *testing.T) {
	d, c := asking(&notes{})
	if _, done := d.Update(tea.PasteMsg{Content: "x"}); !done || !slices.Equal(c.Posted(), []any{dialog.Pasted("x")}) {
		t.Error("the paste is not passed on")
	}
}
