// Package details is the pane with facts about the match under the cursor, the open turn, the search and the archive.
package details

import (
	tea "charm.land/bubbletea/v2"

	"lens/tui/theme"
	"lens/tui/ui"
)

// Pane shows facts in sections, and scrolls.
type Pane struct {
	ui    *ui.Context
	width int
	page  ui.Scroller
}

// New returns an empty pane.
func New(c *ui.Context) *Pane { return &Pane{ui: c, page: ui.Scroller{Overlap: 1}} }

// SetSize sets the size of the text, in cells. A hidden pane has none, and keeps its place.
func (p *Pane) SetSize(width, height int) {
	if width > 0 && height > 0 {
		p.width = width
		p.page.SetHeight(height)
	}
}

// SetSubject sets what the pane is about, after its size.
func (p *Pane) SetSubject(s Subject) {
	p.page.SetLines(laid(p.sections(s), p.width, p.ui.Theme))
}

// Update does nothing: the pane asks for nothing itself.
func (p *Pane) Update(tea.Msg) tea.Cmd { return nil }

// Commands returns what the pane can do while it has the focus.
func (p *Pane) Commands() []ui.Command { return p.page.Commands() }

// Scroll moves by n lines, as far as there are any.
func (p *Pane) Scroll(n int) { p.page.Scroll(n) }

// Below says how much of the text is below, "" for nothing.
func (p *Pane) Below() string {
	if n := p.page.Below(); n > 0 {
		return theme.Count(n, "line", "lines") + " below"
	}
	return ""
}

// View draws the text.
func (p *Pane) View() []string {
	return p.ui.Theme.Block(p.page.Window(), p.width, p.page.Height())
}
