// Package footer is the last line of the explorer: a notice, else the keys that can be pressed.
package footer

import (
	"charm.land/bubbles/v2/help"
	"charm.land/bubbles/v2/key"

	"lens/tui/theme"
	"lens/tui/ui"
)

// Hints is what the line shows while there is no notice. Keys come in order of importance: as many as fit are shown.
type Hints struct {
	Dialog []key.Binding // of the open dialog, which gets all keys; empty: none is open
	Remark string        // about the query that is typed, instead of keys; may be styled
	Pane   []key.Binding // of the focused pane, then those that work everywhere
	Help   key.Binding   // the last one of Pane; it always has room
}

// Line is the footer.
type Line struct {
	ui            *ui.Context
	width, height int
	notice        string
	hints         Hints
}

// New returns a line without a notice.
func New(c *ui.Context) *Line { return &Line{ui: c} }

// SetSize sets the size of the line, in cells.
func (l *Line) SetSize(width, height int) { l.width, l.height = width, height }

// SetHints sets what is shown while there is no notice.
func (l *Line) SetHints(h Hints) { l.hints = h }

// Say shows a sentence; "" shows the keys again.
func (l *Line) Say(notice string) { l.notice = notice }

// Notice returns the sentence that is shown, "" for none.
func (l *Line) Notice() string { return l.notice }

// View draws the line.
func (l *Line) View() []string { return l.ui.Theme.Block([]string{l.text()}, l.width, l.height) }

func (l *Line) text() string {
	switch {
	case l.notice != "":
		return l.ui.Theme.Warn.Render(l.notice)
	case len(l.hints.Dialog) > 0:
		return l.keys(l.hints.Dialog, key.Binding{})
	case l.hints.Remark != "":
		return l.hints.Remark
	}
	return l.keys(l.hints.Pane, l.hints.Help)
}

// gap is between two keys.
const gap = "  "

// keys draws the keys that fit, and the last one. They are counted here: help's own SetWidth lets lines grow too long,
// and ends at the first key that does not fit.
func (l *Line) keys(all []key.Binding, last key.Binding) string {
	room := l.width - width(last) - len(gap)
	var shown []key.Binding
	for _, b := range all {
		if next := width(b) + len(gap); b.Enabled() && next <= room {
			shown, room = append(shown, b), room-next
		}
	}
	th := l.ui.Theme
	view := help.Model{
		ShortSeparator: gap,
		Styles:         help.Styles{ShortKey: th.Key.Lipgloss(), ShortDesc: th.Dim.Lipgloss()},
	}
	return view.ShortHelpView(append(shown, last))
}

// width returns the number of cells of a key and what it does, 0 for none.
func width(b key.Binding) int {
	if !b.Enabled() {
		return 0
	}
	return theme.Width(b.Help().Key) + 1 + theme.Width(b.Help().Desc)
}
