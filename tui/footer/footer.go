// Package footer is the last line of the explorer: the keys that can be pressed, and at the right a notice.
package footer

import (
	"strings"

	"charm.land/bubbles/v2/help"
	"charm.land/bubbles/v2/key"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"lens/tui/theme"
	"lens/tui/ui"
)

// Hints is what the line shows beside a notice. Keys come in order of importance: as many as fit are shown.
type Hints struct {
	Dialog []key.Binding // of the open dialog, which gets all keys; the last one always has room
	Remark string        // about the query that is typed, instead of keys; may be styled
	Pane   []key.Binding // of the focused pane, then those that work everywhere
	Help   key.Binding   // the last one of Pane; it always has room
}

// Line is the footer.
type Line struct {
	ui            *ui.Context
	width, height int
	notice        string
	failed        bool // the notice is of a failure
	hints         Hints
}

// New returns a line without a notice.
func New(c *ui.Context) *Line { return &Line{ui: c} }

// SetSize sets the size of the line, in cells.
func (l *Line) SetSize(width, height int) { l.width, l.height = width, height }

// SetHints sets what is shown beside the notice.
func (l *Line) SetHints(h Hints) { l.hints = h }

// Say shows a sentence at the right; "" removes it.
func (l *Line) Say(notice string) { l.notice, l.failed = notice, false }

// Fail shows a sentence about a failure, which is red.
func (l *Line) Fail(notice string) { l.notice, l.failed = notice, true }

// Notice returns the sentence that is shown, "" for none.
func (l *Line) Notice() string { return l.notice }

// View draws the line.
func (l *Line) View() []string { return l.ui.Theme.Block([]string{l.text()}, l.width, l.height) }

// text draws what fits beside the notice, which comes first.
func (l *Line) text() string {
	th, width := l.ui.Theme, max(0, l.width-theme.Margin-1)
	notice := ansi.Truncate(l.notice, max(0, width-Beside), th.Glyphs.Ellipsis)
	room := width
	if notice != "" {
		room -= theme.Width(notice) + Beside + len(apart) - 1
	}
	var left string
	switch {
	case len(l.hints.Dialog) > 0:
		last := len(l.hints.Dialog) - 1
		left = l.keys(l.hints.Dialog[:last], l.hints.Dialog[last], room)
	case l.hints.Remark != "":
		if left = l.hints.Remark; theme.Width(left) > room {
			left = ansi.Truncate(left, max(0, room), th.Glyphs.Ellipsis)
		}
	default:
		left = l.keys(l.hints.Pane, l.hints.Help, room)
	}
	left = theme.Indented(left)
	if notice == "" {
		return left
	}
	if l.failed {
		notice = th.Error.Render(notice)
	}
	between := l.width - 1 - theme.Width(left) - theme.Width(notice) - Beside
	look := th.Row // a ground, which no key has
	if look.Before == "" {
		look = th.Selection
	}
	return left + strings.Repeat(" ", max(0, between)) + look.Under(" "+notice+" ")
}

// Beside is how many blanks are on both sides of a notice.
const Beside = 2

// apart is between the keys and what the notice says.
const apart = "   "

// gap is between two keys.
const gap = "   "

// keys draws the keys that fit, and the last one. They are counted here: help's own SetWidth lets lines grow too long,
// and ends at the first key that does not fit.
func (l *Line) keys(all []key.Binding, last key.Binding, room int) string {
	var shown []key.Binding
	if l.notice != "" && width(last) > room {
		return ""
	}
	if room += len(gap); last.Enabled() { // the last key has no gap behind it
		room -= width(last) + len(gap)
	}
	for _, b := range all {
		if next := width(b) + len(gap); b.Enabled() && next <= room {
			shown, room = append(shown, b), room-next
		}
	}
	th := l.ui.Theme
	view := help.Model{
		ShortSeparator: gap,
		Styles:         help.Styles{ShortKey: lipgloss.NewStyle(), ShortDesc: th.Dim.Lipgloss()},
	}
	if last.Enabled() {
		shown = append(shown, last)
	}
	return view.ShortHelpView(shown)
}

// width returns the number of cells of a key and what it does, 0 for none.
func width(b key.Binding) int {
	if !b.Enabled() {
		return 0
	}
	return theme.Width(b.Help().Key) + 1 + theme.Width(b.Help().Desc)
}
