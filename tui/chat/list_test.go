package chat

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"lens/agent"
	"lens/tui/chat/chattest"
	"lens/tui/dialog"
	"lens/tui/theme"
	"lens/tui/ui/uitest"
)

// saved are chats in no order.
func saved() *chattest.Sessions {
	kept := map[string]agent.Session{}
	for _, one := range []agent.Session{
		{ID: "old", Name: "Old", Updated: month(2024, 1)},
		{ID: "away", Name: "Away", Updated: month(2025, 1), Archived: true},
		{ID: "new", Name: "New", Updated: month(2024, 3), Exchanges: []agent.Exchange{
			{Question: "?", Answer: "One."}, {Question: "!", Answer: "Two.", Conclusion: true},
		}},
		{ID: "pinned", Name: "Pinned", Updated: month(2023, 1), Pinned: true},
	} {
		kept[one.ID] = one
	}
	return &chattest.Sessions{Kept: kept}
}

func newList(resume func(string, int) tea.Cmd) *sessionList {
	c := uitest.Context(theme.Mono)
	return &sessionList{ui: c, record: &record{ui: c, said: new(Transcript)}, resume: resume}
}

// menuOf returns the list of chats.
func menuOf(t *testing.T, l *sessionList, from Sessions, as spot) *dialog.Menu {
	t.Helper()
	found, err := readList(t.Context(), from, as)
	if err != nil {
		t.Fatal(err)
	}
	menu := l.menu(found, as)
	menu.SetSize(80, 40)
	return menu
}

// rows are what a person reads in a menu.
func rows(m *dialog.Menu) (rows []string) {
	for _, line := range m.View() {
		rows = append(rows, strings.Join(strings.Fields(strings.Trim(ansi.Strip(line), "│▌ ")), " "))
	}
	return rows
}

func TestSessionList_Order(t *testing.T) {
	for name, c := range map[string]struct {
		as   spot
		want []string
	}{
		"those in use": {spot{}, []string{
			"New chat", "• Pinned 1 Jan 2023", "New 1 Mar 2024", "✓ Two. conclusion", "Old 1 Jan 2024", "Show archived chats",
		}},
		"all": {spot{archived: true}, []string{
			"New chat", "• Pinned 1 Jan 2023", "Away archived · 1 Jan 2025", "New 1 Mar 2024", "✓ Two. conclusion", "Old 1 Jan 2024",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			rows := rows(menuOf(t, newList(nil), saved(), c.as))
			if at := slices.Index(rows, c.want[0]); at < 0 || !slices.Equal(rows[at:at+len(c.want)], c.want) {
				t.Errorf("listed are %q", rows)
			}
		})
	}
}

func TestSessionList_ResumesAtTheConclusion(t *testing.T) {
	resumed, at := "", 0
	list := newList(func(id string, exchange int) tea.Cmd {
		resumed, at = id, exchange
		return nil
	})
	menu := menuOf(t, list, saved(), spot{at: "new/1"})
	if _, done := menu.Update(uitest.Key("enter")); !done || resumed != "new" || at != 1 {
		t.Errorf("resumed is %q at %d", resumed, at)
	}
	menu = menuOf(t, list, saved(), spot{at: "gone", row: 4})
	if item, _ := menu.Chosen(); item.ID != "old" {
		t.Errorf("the cursor is on %q", item.ID)
	}
}

// A list of many chats reads a page of them.
func TestSessionList_ReadsAPage(t *testing.T) {
	all := &chattest.Sessions{Kept: map[string]agent.Session{}}
	for i := range 5 * chatsAtOnce {
		id := fmt.Sprintf("%03d", i)
		all.Kept[id] = agent.Session{
			ID: id, Name: "Chat " + id, Updated: month(2000+i, 1), Pinned: i == 7, Archived: i%50 == 9,
			Exchanges: []agent.Exchange{{Question: "?", Answer: "So.", Conclusion: i == 498 || i == 8}},
		}
	}
	l := newList(nil)
	found, err := readList(t.Context(), all, spot{})
	if err != nil || len(found.chats) != chatsAtOnce || !found.older || all.Read > 2*chatsAtOnce+5 {
		t.Fatalf("%d chats are listed, %d were read: %v", len(found.chats), all.Read, err)
	}
	menu := menuOf(t, l, all, spot{row: 1000})
	menu.Update(uitest.Key("up"))
	if item, _ := menu.Chosen(); item.Label != "Show older chats" {
		t.Errorf("the last but one is %q", item.Label)
	}
	for older, want := range []int{100, 200, 300, 400, 490} {
		found, err := readList(t.Context(), all, spot{older: older})
		if got := len(found.chats); err != nil || got != want || found.older != (older < 4) || found.chats[0].Name != "Chat 007" {
			t.Errorf("older %d: got %d, %v, %v", older, got, found.older, err)
		}
	}
	found, _ = readList(t.Context(), all, spot{older: 4, archived: true})
	if len(found.chats) != 500 || found.older || found.away {
		t.Errorf("with archived ones: %d are listed", len(found.chats))
	}
}
