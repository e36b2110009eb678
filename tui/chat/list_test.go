package chat

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"lens/agent"
	"lens/tui/theme"
	"lens/tui/ui/uitest"
)

// saved are chats in no order.
func saved() []agent.Session {
	return []agent.Session{
		{ID: "old", Name: "Old", Updated: month(2024, 1)},
		{ID: "away", Name: "Away", Updated: month(2025, 1), Archived: true},
		{ID: "new", Name: "New", Updated: month(2024, 3), Exchanges: []agent.Exchange{
			{Question: "?", Answer: "One."}, {Question: "!", Answer: "Two.", Conclusion: true},
		}},
		{ID: "pinned", Name: "Pinned", Updated: month(2023, 1), Pinned: true},
	}
}

func newList(resume func(agent.Session, int) tea.Cmd) *sessionList {
	c := uitest.Context(theme.Mono)
	return &sessionList{ui: c, record: &record{ui: c, said: new(Transcript)}, resume: resume}
}

func TestSessionList_Order(t *testing.T) {
	for name, c := range map[string]struct {
		as   spot
		want []string
	}{
		"those in use": {spot{}, []string{
			"New chat", "• Pinned 2023-01-01", "New 2024-03-01", "✓ Two. conclusion", "Old 2024-01-01", "Show archived chats 1",
		}},
		"all": {spot{archived: true}, []string{
			"New chat", "• Pinned 2023-01-01", "Away archived · 2025-01-01", "New 2024-03-01", "✓ Two. conclusion", "Old 2024-01-01",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			menu := newList(nil).menu(saved(), c.as)
			menu.SetSize(80, 40)
			var rows []string
			for _, line := range menu.View() {
				rows = append(rows, strings.Join(strings.Fields(strings.Trim(ansi.Strip(line), "│> ")), " "))
			}
			if at := slices.Index(rows, c.want[0]); at < 0 || !slices.Equal(rows[at:at+len(c.want)], c.want) {
				t.Errorf("listed are %q", rows)
			}
		})
	}
}

func TestSessionList_ResumesAtTheConclusion(t *testing.T) {
	resumed, at := "", 0
	list := newList(func(s agent.Session, exchange int) tea.Cmd {
		resumed, at = s.ID, exchange
		return nil
	})
	menu := list.menu(saved(), spot{at: "new/1"})
	if _, done := menu.Update(uitest.Key("enter")); !done || resumed != "new" || at != 1 {
		t.Errorf("resumed is %q at %d", resumed, at)
	}
	menu = list.menu(saved(), spot{at: "gone", row: 4})
	if item, _ := menu.Chosen(); item.ID != "old" {
		t.Errorf("the cursor is on %q", item.ID)
	}
}
