package app

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/agent"
	"lens/internal/errs"
	"lens/tui/dialog"
)

func TestSavedChats_ListResumeRenamePinArchive(t *testing.T) {
	e := newFake(1200)
	i := investigation(e)
	d := chatting(e, i, 120, 40).asks("when did I cancel?").keys("p ctrl+n").asks("and the garden?")
	if len(i.Kept) != 2 {
		t.Fatalf("%d conversations are kept", len(i.Kept))
	}
	d.keys("ctrl+o").mustShow(t, "when did I cancel?", "and the garden?", "conclusion")
	for _, r := range "cancel" {
		d.send(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	d.keys("enter z").mustShow(t, "when did I cancel?", "You asked first", "[1]  2 Apr 2024", "conclusion")
	d.keys("n enter")
	if d.reader.Opened() == nil || d.focus != paneReader {
		t.Error("a citation of a conversation that was kept leads nowhere")
	}
	key := func(c rune) { d.send(tea.KeyPressMsg{Code: c, Mod: tea.ModCtrl}) }
	d.keys("4 esc ctrl+o")
	for c, verb := range map[rune]string{'t': "pin", 'r': "rename", 'x': "archive"} {
		key(c)
		d.mustShow(t, "No chat to "+verb+" on this row", "▌ New chat")
	}
	item := func() string {
		chosen, _ := d.dialogs.Top().(*dialog.Menu).Chosen()
		return chosen.ID
	}
	d.keys("down down")
	at := item()
	if key('t'); item() != at {
		t.Error("pinning leaves the item")
	}
	d.keys("down")
	at = item()
	key('r')
	if d.keys("x esc"); item() != at {
		t.Error("canceling the name leaves the item")
	}
	key('r')
	for range 40 {
		d.keys("backspace")
	}
	d.keys("N e w enter").mustShow(t, "New", "• ")
	var names []string
	for _, s := range i.Kept {
		names = append(names, fmt.Sprint(s.Name, " ", s.Pinned, " ", s.Archived))
	}
	if !slices.ContainsFunc(names, func(s string) bool { return strings.HasPrefix(s, "New ") }) || !strings.Contains(fmt.Sprint(names), "true") {
		t.Errorf("kept are %q", names)
	}
	if item() != at {
		t.Error("naming leaves the item")
	}
	key('x')
	d.mustShow(t, "Show archived chats")
	if d.dialogs.Top().(*dialog.Menu).Row() == 0 {
		t.Error("the cursor is back at the beginning")
	}
	d.keys("esc")
	i.Wont = errors.New("the disk is full")
	d.asks("once more?").mustShow(t, "cannot save the chat: the disk is full")
}

func TestSavedChats_StoreWhatWasShown(t *testing.T) {
	e := newFake(1200)
	i := investigation(e)
	chatting(e, i, 120, 40).asks("when?")
	for _, s := range i.Kept {
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := uuid.Parse(s.ID); err != nil || s.Name != "when?" {
			t.Errorf("kept as %q, %q", s.ID, s.Name)
		}
		for _, never := range []string{"top_k", "37 turns", "Three ways, from least"} {
			if strings.Contains(string(text), never) {
				t.Errorf("%q is kept: %s", never, text)
			}
		}
	}
}

// What cannot be saved at the end is named, with the reason and the next step.
func TestSavedChats_UnsavedAtTheEnd(t *testing.T) {
	full := &errs.Error{Code: errs.Unavailable, Message: "the disk is full", Hint: "free some space"}
	i := &investigator{events: []agent.Event{agent.Done{Answer: "In May."}}}
	i.Wont = full
	term := start(t.Context(), t, Options{
		Archive: over(newFake(30)), Chat: i.chat(), Explain: func(err error) (message, hint string) {
			f := errs.First(err)
			return f.Message, f.Hint
		},
	}, 100, 24)
	term.waitFor(t, "30 turns")
	term.press(t, "cwhen?\r")
	term.waitFor(t, "cannot save the chat: the disk is full")
	term.press(t, "q")
	if f := errs.First(term.ended(t)); f.Message != "cannot save the chat: the disk is full" || f.Hint != "free some space" {
		t.Errorf("it ends with %+v", f)
	}
}
