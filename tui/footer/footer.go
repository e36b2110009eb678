// Package footer is the last line of the explorer: a notice, else the keys that can be pressed.
package footer

import (
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

// keys draws the keys that fit, and the last one.
func (l *Line) keys(all []key.Binding, last key.Binding) string {
	room := l.width - theme.Width(l.item(last)) - len(gap)
	line := ""
	for _, b := range all {
		if next := line + l.item(b) + gap; theme.Width(next) <= room {
			line = next
		}
	}
	return line + l.item(last)
}

func (l *Line) item(b key.Binding) string {
	if b.Help().Key == "" {
		return ""
	}
	return l.ui.Theme.Accent.Render(b.Help().Key) + " " + l.ui.Theme.Dim.Render(b.Help().Desc)
}
