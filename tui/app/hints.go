package app

import (
	"slices"

	"charm.land/bubbles/v2/key"

	"lens/tui/footer"
	"lens/tui/theme"
	"lens/tui/ui"
)

// What the footer shows: the hints of the dialog, else those of the pane and the global ones.

// nextPaneWords describes the key that moves to the next pane.
const nextPaneWords = "next pane"

func (m *model) footerHints() footer.Hints {
	if m.dialogs.IsOpen() {
		return footer.Hints{Dialog: m.dialogs.Hints()}
	}
	h := footer.Hints{Pane: m.paneHints()}
	if m.focus == paneQuery {
		h.Remark = m.bar.FooterLine(m.width - theme.Margin - 1)
	}
	if at := named(m.keys.global, "help"); !m.focus.isTyped() {
		help := m.keys.global[at]
		h.Help = hint{keys: help.Keys()[:1], does: help.Group}.binding()
	}
	return h
}

// paneHints returns the hints of the focused pane, then the global ones, except help.
func (m *model) paneHints() []key.Binding {
	if m.archive.IsEmpty() {
		quit := m.keys.global[named(m.keys.global, "quit")]
		return []key.Binding{hint{keys: quit.Keys()[:1], does: "quit"}.binding()}
	}
	own := footed(m.keys.panes[m.focus])
	isLate := func(c ui.Command) bool { return c.Late }
	isEarly := func(c ui.Command) bool { return !c.Late }
	entries, late := hints(slices.DeleteFunc(slices.Clone(own), isLate)), hints(slices.DeleteFunc(own, isEarly))
	if !m.focus.isTyped() {
		globals := hints(footed(m.keys.global))
		if m.layout().alone { // the key to the other panes comes first
			others := func(h hint) bool { return h.does != nextPaneWords }
			entries = append(slices.DeleteFunc(slices.Clone(globals), others), entries...)
		}
		entries = append(entries, globals...)
	}
	entries = append(entries, late...)
	var shown []key.Binding
	for _, h := range entries {
		b := h.binding()
		same := func(other key.Binding) bool { return other.Help() == b.Help() }
		if h.does != "keys" && !slices.ContainsFunc(shown, same) {
			shown = append(shown, b)
		}
	}
	return shown
}
