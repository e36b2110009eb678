package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// overlay covers panes and receives every key until it is closed: the help, a menu, a question. A new overlay is a
// type in its own file and an action that opens it.
type overlay interface {
	// press handles a key. It closes the overlay with m.closeOverlay.
	press(m *model, pressed tea.KeyPressMsg) tea.Cmd

	// paste handles pasted text.
	paste(m *model, text string)

	// scroll handles a notch of the wheel: 1 down, -1 up.
	scroll(n int)

	// view draws the overlay in exactly r.
	view(m *model, r rect) []string

	// place returns its rectangle on a screen of w by h cells.
	place(w, h int) rect

	// hints returns its keys for the footer.
	hints() []hint
}

// pointedAt is an overlay that handles clicks; y counts from its first line.
type pointedAt interface {
	click(m *model, y int) tea.Cmd
}

// typedInto is an overlay with a cursor, whose position counts from its corner.
type typedInto interface {
	cursor() (x, y int)
}

func (m *model) openOverlay(o overlay) tea.Cmd {
	m.over = o
	return nil
}

func (m *model) closeOverlay() { m.over = nil }

// beneath is the rectangle below the query and above the footer.
func beneath(w, h int) rect { return rect{0, 1, w, h - 2} }

// amid is a rectangle of the given size, shrunk to fit, in the upper middle of the screen.
func amid(w, h, width, height int) rect {
	width, height = min(width, w), min(height, h-2)
	return rect{(w - width) / 2, max(1, (h-height)/3), width, height}
}

// tallest is the greatest height of a menu, so that the panes behind stay visible.
const tallest = 18

// framed draws a rule at both sides and below. The first line is a title and needs none above.
func (m *model) framed(r rect, inner func(w, h int) []string) []string {
	side := m.ui.Theme.Dim.Render(m.ui.Theme.Glyphs.Vertical)
	lines := make([]string, 0, r.h)
	for _, line := range inner(max(1, r.w-2), max(1, r.h-1)) {
		lines = append(lines, side+line+side)
	}
	lines = append(lines, m.ui.Theme.Dim.Render(strings.Repeat(m.ui.Theme.Glyphs.Horizontal, r.w)))
	return m.ui.Theme.Block(lines, r.w, r.h)
}

// coverView draws the overlay.
func (m *model) coverView(r rect) []string { return m.over.view(m, r) }
