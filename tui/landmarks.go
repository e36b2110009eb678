package tui

import (
	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/retrieval"
	"lens/tui/dialog"
	"lens/tui/theme"
	"lens/tui/zoom"
)

// Landmarks of a query in time: its peaks, its first and last mention, and its longest silence.

// openLandmarks lists the landmarks and goes to the selected one.
func (m *model) openLandmarks() tea.Cmd {
	peek := m.found.Peek
	if peek == nil || m.finder.IsStale() {
		m.footer.Say("No results yet")
		return nil
	}
	var items []dialog.Item
	add := func(label, right string, do func() tea.Cmd) {
		items = append(items, dialog.Item{Label: label, Right: right, Do: do})
	}
	title := "Landmarks: " + theme.Count(peek.Mentions.Count, "match", "matches")
	if m.isSearching() {
		m.addMentions(peek.Mentions, add)
	} else {
		title = "Landmarks of the turns in view"
		m.addFullest(add)
	}
	for _, p := range m.timeline.Peaks() {
		share := theme.Count(p.Count, "match", "matches") + " of " + theme.Count(p.Turns, "turn", "turns")
		add("Peak "+p.Name()+": "+share, p.Lift, m.lookAt(p.Span))
	}
	if len(items) == 0 {
		m.footer.Say("No dates")
		return nil
	}
	return m.openMenu(dialog.MenuOptions{Title: title, None: "No such landmark", Items: items})
}

// addMentions adds the first and last mention and the longest silence.
func (m *model) addMentions(mentions retrieval.Mentions, add func(label, right string, do func() tea.Cmd)) {
	read := func(id uuid.UUID) func() tea.Cmd {
		return func() tea.Cmd {
			m.showTurn(id)
			m.focus = paneTurn
			return nil
		}
	}
	if first := mentions.First; first != nil {
		add("First match", m.ui.Day(first.Time), read(first.TurnID))
	}
	if last := mentions.Last; last != nil {
		add("Last match", m.ui.Day(last.Time), read(last.TurnID))
	}
	if silence := mentions.Silence; silence != nil {
		days := int(silence.Until.Sub(silence.Since).Hours() / 24)
		others := theme.Count(silence.Turns, "turn", "turns") + " on other topics"
		what := "Longest silence " + theme.Count(days, "day", "days") + " (" + others + ")"
		silent := zoom.Span{From: silence.Since.Unix(), To: silence.Until.Unix() + 1}
		add(what, "until "+m.ui.Day(silence.Until), m.lookAt(silent))
	}
}

func (m *model) lookAt(at zoom.Span) func() tea.Cmd {
	return func() tea.Cmd {
		m.timeline.Enter(at)
		return nil
	}
}
