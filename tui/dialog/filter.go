package dialog

import (
	tea "charm.land/bubbletea/v2"

	"lens/tui/theme"
	"lens/tui/ui"
)

// Filter is the line of text that narrows the list of a dialog of another package.
type Filter struct{ text input }

// NewFilter returns an empty filter.
func NewFilter(c *ui.Context) *Filter { return &Filter{newInput(c, "")} }

// Text returns what is typed.
func (f *Filter) Text() string { return f.text.value() }

// Edit handles a key or a paste, and reports whether the text has changed.
func (f *Filter) Edit(msg tea.Msg) bool {
	before := f.text.value()
	f.text.edit(msg)
	return f.text.value() != before
}

// Column returns where in View the terminal's cursor stands.
func (f *Filter) Column(width int) int {
	x, _ := f.text.column(width)
	return x
}

// View draws the line, with a hint while it is empty.
func (f *Filter) View(width int, hint string, th theme.Theme) string {
	return f.text.view(width, hint, th)
}
