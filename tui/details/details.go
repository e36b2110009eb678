// Package details is the pane with facts about the match under the cursor, the open turn, the search and the archive.
package details

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"lens/tui/ui"
)

// Pane shows facts in sections, and scrolls.
type Pane struct {
	ui    *ui.Context
	width int
	page  page
}

// New returns an empty pane.
func New(c *ui.Context) *Pane { return &Pane{ui: c} }

// SetSize sets the size of the text, in cells. A hidden pane has none, and keeps its place.
func (p *Pane) SetSize(width, height int) {
	if width > 0 && height > 0 {
		p.width, p.page.height = width, height
	}
}

// SetSubject sets what the pane is about, after its size.
func (p *Pane) SetSubject(s Subject) {
	p.page.lines = laid(p.sections(s), p.width, p.ui.Theme)
	p.page.scroll(0)
}

// Update does nothing: the pane asks for nothing itself.
func (p *Pane) Update(tea.Msg) tea.Cmd { return nil }

// Commands returns what the pane can do while it has the focus.
func (p *Pane) Commands() []ui.Command {
	return []ui.Command{
		ui.Hinted("scroll-down", "j down", "scroll", p.scrolls(1)),
		ui.Hinted("scroll-up", "k up", "scroll", p.scrolls(-1)),
		ui.Hinted("page-down", "space pgdown ctrl+d", "page", p.scrollsPages(1)),
		ui.Hinted("page-up", "b pgup ctrl+u", "page", p.scrollsPages(-1)),
		ui.On("beginning", "g home", "start/end", p.scrolls(-1<<30)),
		ui.On("end", "G end", "start/end", p.scrolls(1<<30)),
	}
}

// Scroll moves by n lines, as far as there are any.
func (p *Pane) Scroll(n int) { p.page.scroll(n) }

func (p *Pane) scrolls(n int) func() tea.Cmd {
	return func() tea.Cmd {
		p.page.scroll(n)
		return nil
	}
}

func (p *Pane) scrollsPages(n int) func() tea.Cmd {
	return func() tea.Cmd {
		p.page.scrollPages(n)
		return nil
	}
}

// Remark says how far the pane is scrolled, for the line above the text; "" if all of it fits.
func (p *Pane) Remark() string {
	if at := p.page.percent(); at < 100 {
		return fmt.Sprintf("%d%%", at)
	}
	return ""
}

// View draws the text.
func (p *Pane) View() []string {
	return p.ui.Theme.Block(p.page.lines[min(p.page.offset, len(p.page.lines)):], p.width, p.page.height)
}
