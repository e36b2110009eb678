package app

import (
	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/retrieval"
	"lens/tui/dialog"
	"lens/tui/results"
	"lens/tui/theme"
	"lens/tui/ui"
	"lens/tui/zoom"
)

// Landmarks of a query in time: its peaks, its first and last mention, and its longest silence.

// openLandmarks lists the landmarks and goes to the selected one.
func (w *workspace) openLandmarks() tea.Cmd {
	peek := w.found.Peek
	if peek == nil || w.finder.IsStale() {
		w.footer.Say("No results yet")
		return nil
	}
	var items []dialog.Item
	add := func(label, right string, do func() tea.Cmd) {
		items = append(items, dialog.Item{Label: label, Right: right, Do: do})
	}
	title := "Landmarks: " + theme.Count(peek.Mentions.Count, "match", "matches")
	if w.isSearching() {
		w.addMentions(peek.Mentions, add)
	} else {
		title = "Landmarks of the turns in view"
		w.addFullest(add)
	}
	for _, p := range w.timeline.Peaks() {
		add("Peak "+p.Name(w.ui.Theme)+": "+p.Found, p.Lift, w.lookAt(p.Span))
	}
	if len(items) == 0 {
		w.footer.Say("No dates")
		return nil
	}
	w.openMenu(dialog.MenuOptions{Title: title, None: "No such landmark", Items: items})
	return nil
}

// addMentions adds the first and last mention and the longest silence.
func (w *workspace) addMentions(mentions retrieval.Mentions, add func(label, right string, do func() tea.Cmd)) {
	read := func(id uuid.UUID) func() tea.Cmd {
		return ui.Do(func() { w.ui.Post(results.TurnSelected{ID: id, Focus: true}) })
	}
	if first := mentions.First; first != nil {
		add("First match", w.ui.DayColumn(first.Time), read(first.TurnID))
	}
	if last := mentions.Last; last != nil {
		add("Last match", w.ui.DayColumn(last.Time), read(last.TurnID))
	}
	if silence := mentions.Silence; silence != nil {
		days := int(silence.Until.Sub(silence.Since).Hours() / 24)
		others := theme.Count(silence.Turns, "turn", "turns") + " on other topics"
		what := "Longest silence: " + theme.Count(days, "day", "days") + " (" + others + ")"
		silent := zoom.Span{From: silence.Since.Unix(), To: silence.Until.Unix() + 1}
		add(what, w.ui.Theme.Days(w.ui.In(silence.Since), w.ui.In(silence.Until)), w.lookAt(silent))
	}
}

func (w *workspace) lookAt(at zoom.Span) func() tea.Cmd {
	return ui.Do(func() { w.timeline.Enter(at) })
}

// addFullest lists the bin with the most turns, to look at, and the most active conversations, to filter by.
func (w *workspace) addFullest(add func(label, right string, do func() tea.Cmd)) {
	if busiest, ok := w.timeline.Busiest(); ok {
		label := "Busiest " + w.timeline.Zoom().Unit().Words() + ": " + busiest.Name(w.ui.Theme)
		add(label, theme.Count(busiest.Count, "turn", "turns"), w.lookAt(busiest.Span))
	}
	if w.found.Key != w.wantedFind() || len(w.bar.Query().Filter.Conversations.In) > 0 {
		return
	}
	for _, f := range w.found.Fullest {
		add("Conversation "+w.ui.Theme.Quoted(f.Title), theme.Count(f.Turns, "turn", "turns"), func() tea.Cmd {
			w.bar.OnlyConversation(f.Conversation)
			return nil
		})
	}
}
