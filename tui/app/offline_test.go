package app

import (
	"context"
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/uuid"
)

// retriever answers with the requested level, and fails at paranoid.
type retriever struct {
	asked []string
	hit   uuid.UUID
}

func (r *retriever) Levels() []string { return []string{"standard", "strict", "paranoid"} }

func (r *retriever) Ask(_ context.Context, question, level string) (OfflineAnswer, error) {
	r.asked = append(r.asked, level+": "+question)
	if level == "paranoid" {
		return OfflineAnswer{}, errors.New("this system offers no block")
	}
	return OfflineAnswer{
		Text: "“Feed it twice.” [notes.md (modified 2024-05-01)]\x1b[31m", Basis: "seccomp: 4 kinds of socket refused",
		Hits: []OfflineHit{{ID: r.hit.String(), Cited: "notes.md (modified 2024-05-01)", Says: "Feed it twice."}},
	}, nil
}

// asksOffline returns an explorer with the retriever.
func asksOffline(e *fakeEngine, r *retriever) *driver {
	return drive(Options{
		Archive: over(e),
		Search:  r,
	}, 100, 30)
}

func TestOffline_AnswersAtTheChosenLevel(t *testing.T) {
	r := new(retriever)
	d := asksOffline(newFake(300), r).search("cancel")
	r.hit = d.found.Peek.Matches[3].TurnID
	d.keys("O").mustShow(t, "[standard]", "“Feed it twice.” [notes.md (modified 2024-05-01)]", "seccomp: 4 kinds of socket refused")
	if strings.Contains(d.View().Content, "\x1b[31m") {
		t.Error("what it says reaches the terminal as it is")
	}
	d.keys("left right").mustShow(t, "[strict]", "Feed it twice")
	d.keys("right").mustShow(t, "[paranoid]", "this system offers no block")
	d.mustNotShow(t, "Feed it twice")
	d.keys("left enter")
	if d.dialogs.IsOpen() || d.reader.Wanted() != r.hit || d.focus != paneReader {
		t.Errorf("shown is %v with focus on %v", d.reader.Wanted(), d.focus)
	}
	want := "standard: cancel|strict: cancel|paranoid: cancel|strict: cancel"
	if got := strings.Join(r.asked, "|"); got != want {
		t.Errorf("asked %s, want %s", got, want)
	}
}

func TestOffline_FitsEveryScreen(t *testing.T) {
	d := asksOffline(newFake(300), new(retriever)).search("cancel").keys("O")
	for _, size := range [][2]int{{40, 10}, {80, 24}, {200, 60}} {
		d.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		lines := strings.Split(d.View().Content, "\n")
		for _, line := range lines {
			if ansi.StringWidth(line) > size[0] {
				t.Errorf("%v: %q is too wide", size, line)
			}
		}
		if len(lines) != size[1] {
			t.Errorf("%v: %d lines", size, len(lines))
		}
	}
}

func TestOffline_NeedsARetrieverAndAQuery(t *testing.T) {
	if d := explore(newFake(300), 100, 30).search("cancel").keys("O"); d.dialogs.IsOpen() {
		t.Error("something is shown")
	}
	r := new(retriever)
	d := asksOffline(newFake(300), r).keys("1 O")
	if d.dialogs.IsOpen() || len(r.asked) > 0 || !strings.Contains(d.footer.Notice(), "Type a query first") {
		t.Errorf("asked %v, notice %q", r.asked, d.footer.Notice())
	}
}

// No program is handed an address where nothing may leave the machine, or at the level that hands out nothing.
func TestLinks_WhyNoneIsOpened(t *testing.T) {
	for want, opts := range map[string]Options{
		"": {}, "offline": {Offline: true}, "paranoid": {Offline: true, Paranoid: true},
	} {
		if got := opts.closed(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
