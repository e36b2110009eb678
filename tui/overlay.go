package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// overlay is what lies over the panes and takes every key until it is closed: the help, a menu, a question. A new one is a type in a file
// of its own, and an action that opens it.
type overlay interface {
	// press does what a key stands for; it closes the overlay with m.closeOverlay.
	press(m *model, pressed tea.KeyPressMsg) tea.Cmd

	// paste takes pasted text.
	paste(m *model, text string)

	// scroll is a notch of the mouse's wheel: 1 for down, -1 for up.
	scroll(n int)

	// view draws it in exactly r.
	view(m *model, r rect) []string

	// place says where it lies on a screen of w by h cells.
	place(w, h int) rect

	// hints are its keys, for the footer.
	hints() []hint
}

// pointedAt is an overlay that can be clicked: y counts from its own first line.
type pointedAt interface {
	click(m *model, y int) tea.Cmd
}

// typedInto is an overlay that shows the terminal's cursor, at cells counted from its own corner.
type typedInto interface {
	cursor() (x, y int)
}

func (m *model) openOverlay(o overlay) tea.Cmd {
	m.over = o
	return nil
}

func (m *model) closeOverlay() { m.over = nil }

// beneath is the place of an overlay that covers everything but the query and the footer.
func beneath(w, h int) rect { return rect{0, 1, w, h - 2} }

// amid is the place of an overlay of a size of its own, in the upper middle of the screen, as far as there is room.
func amid(w, h, width, height int) rect {
	width, height = min(width, w), min(height, h-2)
	return rect{(w - width) / 2, max(1, (h-height)/3), width, height}
}

// tallest is how many lines a menu takes at most: enough to choose from, and what lies beneath stays in sight.
const tallest = 18

// framed sets lines apart from what lies beneath: a rule at both sides and one below. The first line is a title and stands out by itself.
func (m *model) framed(r rect, inner func(w, h int) []string) []string {
	side := m.theme.Dim.Render(m.theme.Glyphs.Vertical)
	lines := make([]string, 0, r.h)
	for _, line := range inner(max(1, r.w-2), max(1, r.h-1)) {
		lines = append(lines, side+line+side)
	}
	lines = append(lines, m.theme.Dim.Render(strings.Repeat(m.theme.Glyphs.Horizontal, r.w)))
	return m.theme.Block(lines, r.w, r.h)
}

// coverView draws the overlay.
func (m *model) coverView(r rect) []string { return m.over.view(m, r) }
