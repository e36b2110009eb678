package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"lens/tui/histogram"
	"lens/tui/search"
	"lens/tui/theme"
	"lens/tui/zoom"
)

// Without a query the list shows the turns in view by time, newest first, and the conversations with the most of them.

// listName is the title of the list.
func (m *model) listName() string {
	if m.isSearching() {
		return "Matches"
	}
	return "Turns"
}

// noun names what the histogram counts; countFound adds a number.
func (m *model) noun() string {
	if m.isSearching() {
		return "matches"
	}
	return "turns"
}

func (m *model) countFound(n int) string {
	if m.isSearching() {
		return theme.Count(n, "match", "matches")
	}
	return theme.Count(n, "turn", "turns")
}

// browsedRemark returns which turns are listed, and of how many.
func (m *model) browsedRemark() string {
	which := "newest"
	if m.found.Order == search.OldestFirst {
		which = "oldest"
	}
	shown, _ := m.tally()
	if n := m.list.Len(); n < shown {
		return which + " " + theme.Number(n) + " of " + theme.Number(shown)
	}
	return which + " first"
}

// browsedTally returns how many turns are in view, in three lengths; empty when all of them are.
func (m *model) browsedTally() (long, plain, short string) {
	if undated := m.found.Peek.Histogram.Undated; undated > 0 && m.timeline.Zoom().IsAll() {
		long = theme.Number(undated) + " undated"
	}
	if m.timeline.Zoom().IsAll() && !m.bar.Sought().Narrows() {
		return long, "", ""
	}
	shown, _ := m.tally()
	plain = theme.Count(shown, "turn", "turns")
	return m.ui.Theme.Remarks(plain+" in view", long), plain, theme.Number(shown)
}

// leastTold is the least height of the list that leaves room for the most active conversations.
const leastTold = 6

// tellsFullest reports whether the line below the title names the most active conversations. It stays while they are
// counted.
func (m *model) tellsFullest(l layout) bool {
	return !m.isSearching() && m.found.Peek != nil && l.matches.h >= leastTold &&
		len(m.bar.Query().Filter.Conversations.In) == 0 && (len(m.found.Fullest) > 0 || m.found.Key != m.wantedFind())
}

// listTop is the number of lines above the rows of the list.
func (m *model) listTop(l layout) int {
	if m.tellsFullest(l) || m.tellsTitles(l) {
		return 2
	}
	return 1
}

// fullestLine names the conversations with the most turns in view, as many as fit.
func (m *model) fullestLine(width int) string {
	if m.found.Key != m.wantedFind() {
		return ""
	}
	line := " most active: "
	for i, f := range m.found.Fullest {
		count := fmt.Sprintf(" (%s)", theme.Number(f.Turns))
		if i == 0 {
			line += ansi.Truncate(f.Title, max(0, width-len(line)-len(count)), m.ui.Theme.Glyphs.Ellipsis) + count
			continue
		}
		if next := line + ", " + f.Title + count; ansi.StringWidth(next) <= width {
			line = next
		}
	}
	return line
}

// addFullest lists the bin with the most turns, to look at, and the most active conversations, to filter by.
func (m *model) addFullest(add func(label, right string, do func() tea.Cmd)) {
	c := m.chart()
	busiest := -1
	for i, b := range c.Bins {
		if b.Count > 0 && (busiest < 0 || b.Count > c.Bins[busiest].Count) {
			busiest = i
		}
	}
	if busiest >= 0 && len(c.Bins) > 1 {
		b := c.Bins[busiest]
		in := zoom.Span{From: b.Start, To: b.End}.Clip(m.timeline.Zoom().Span)
		label := "Busiest " + c.Unit.String() + ": " + histogram.Crumb(in.From, in.To)
		add(label, theme.Count(b.Count, "turn", "turns"), m.lookAt(in))
	}
	if m.found.Key != m.wantedFind() || len(m.bar.Query().Filter.Conversations.In) > 0 {
		return
	}
	for _, f := range m.found.Fullest {
		add("Conversation "+m.ui.Theme.Quoted(f.Title), theme.Count(f.Turns, "turn", "turns"), func() tea.Cmd {
			m.bar.OnlyConversation(f.Conversation)
			return nil
		})
	}
}
