// Package home is what is shown before a query can be asked: how to fill an empty archive.
package home

import (
	tea "charm.land/bubbletea/v2"

	"lens/tui/ui"
)

// Options configures a page.
type Options struct {
	Archive string // the location of the archive; "": not shown
	Imports bool   // exports can be imported from here
}

// AskImport is posted to ask for an export to import.
type AskImport struct{}

// Page is shown instead of the panes while the archive is empty.
type Page struct {
	ui            *ui.Context
	opts          Options
	width, height int
}

// New returns a page.
func New(c *ui.Context, opts Options) *Page { return &Page{ui: c, opts: opts} }

// SetSize sets the size of the page, in cells.
func (p *Page) SetSize(width, height int) { p.width, p.height = width, height }

// Update does nothing: the page asks for nothing.
func (p *Page) Update(tea.Msg) tea.Cmd { return nil }

// Commands returns what can be done with an empty archive.
func (p *Page) Commands() []ui.Command {
	ask := ui.On("import", "enter", "import an export", func() tea.Cmd {
		p.ui.Post(AskImport{})
		return nil
	})
	ask.When = func() bool { return p.opts.Imports }
	return []ui.Command{ask}
}

// narrow is the width below which only the commands of the steps are shown.
const narrow = 70

// View draws the steps that fill the archive.
func (p *Page) View() []string {
	th := p.ui.Theme
	lines := []string{
		"",
		"  " + th.Bold.Render("Your archive is empty"),
		"",
		"  Export your data from ChatGPT: Settings, Data controls, Export.",
		"",
	}
	step := func(command, what string) {
		line := "    " + th.Accent.Render(command)
		if p.width >= narrow {
			line = "    " + th.Accent.Render(th.Fit(command, 28)) + th.Dim.Render(what)
		}
		lines = append(lines, line)
	}
	for _, c := range p.Commands() {
		if c.IsOffered() {
			step(p.ui.Key("home."+c.ID), c.Group)
		}
	}
	step("lens import <export.zip>", "import it; nothing leaves this machine")
	step("lens demo", "try Lens with invented chats")
	if lines = append(lines, ""); p.opts.Archive != "" {
		lines = append(lines, th.Dim.Render("  archive: "+ui.Line(p.opts.Archive)))
	}
	return th.Block(lines, p.width, p.height)
}
