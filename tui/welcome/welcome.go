// Package welcome is what is shown before a query can be asked: how to fill an empty archive.
package welcome

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"lens/tui/async"
	"lens/tui/dialog"
	"lens/tui/theme"
	"lens/tui/ui"
)

// Options configures a page.
type Options struct {
	Archive string // the location of the archive; "": not shown
	Imports bool   // exports can be imported from here

	// Look looks for chats on this machine; nil: nothing is looked for.
	Look func(context.Context) ([]Found, error)

	// Servers describes the model servers of this machine that are not used yet; nil: none is looked for.
	Servers func(context.Context) []string
}

// Found is a place with chats. Nothing of it was opened.
type Found struct {
	Name  string // of the program or service: "Claude Code"
	Path  string // to import
	Shown string // the path as people write it
	Facts string // "212 files · 81 MB"
}

// AskImport is posted to ask for an export to import.
type AskImport struct{}

// Import is posted to import places.
type Import struct{ Paths []string }

// foundMsg delivers what the machine has. An error counts as nothing: the page offers the rest.
type foundMsg struct {
	number int
	found  []Found
}

// Page is shown instead of the panes while the archive is empty.
type Page struct {
	ui            *ui.Context
	opts          Options
	shown         bool
	width, height int

	looking async.Latest[bool]
	found   []Found

	asking  async.Latest[bool]
	servers []string
}

// New returns a page.
func New(c *ui.Context, opts Options) *Page { return &Page{ui: c, opts: opts} }

// SetSize sets the size of the page, in cells.
func (p *Page) SetSize(width, height int) { p.width, p.height = width, height }

// SetShown says whether the page is shown. Only then does it look for chats.
func (p *Page) SetShown(shown bool) { p.shown = shown }

// serversMsg delivers the model servers that are there.
type serversMsg struct {
	number  int
	servers []string
}

// Requests looks for chats and model servers on this machine, once.
func (p *Page) Requests() tea.Cmd { return tea.Batch(p.look(), p.ask()) }

// ask looks for model servers.
func (p *Page) ask() tea.Cmd {
	if !p.shown || p.opts.Servers == nil {
		return nil
	}
	ctx, number, ok := p.asking.Ask(p.ui.Ctx, true, p.ui.Now())
	if !ok {
		return nil
	}
	servers := p.opts.Servers
	return p.ui.Tasks.Command(func() tea.Msg {
		there := servers(ctx)
		for i, s := range there {
			there[i] = ui.Line(s)
		}
		return serversMsg{number, there}
	})
}

// look looks for chats.
func (p *Page) look() tea.Cmd {
	if !p.shown || p.opts.Look == nil || !p.opts.Imports {
		return nil
	}
	ctx, number, ok := p.looking.Ask(p.ui.Ctx, true, p.ui.Now())
	if !ok {
		return nil
	}
	look := p.opts.Look
	return p.ui.Tasks.Command(func() tea.Msg {
		found, err := look(ctx)
		if err != nil {
			found = nil
		}
		for i := range found {
			f := &found[i]
			f.Name, f.Shown, f.Facts = ui.Line(f.Name), ui.Line(f.Shown), ui.Line(f.Facts)
		}
		return foundMsg{number, found}
	})
}

// Update handles what the machine has.
func (p *Page) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case foundMsg:
		if p.looking.Accept(msg.number) {
			p.found = msg.found
		}
	case serversMsg:
		if p.asking.Accept(msg.number) {
			p.servers = msg.servers
		}
	}
	return nil
}

// Commands returns what can be done with an empty archive.
func (p *Page) Commands() []ui.Command {
	ask := ui.On("import", "enter", "import an export", func() tea.Cmd {
		p.ui.Post(AskImport{})
		return nil
	})
	ask.When = func() bool { return p.opts.Imports }
	found := ui.On("found", "i", "import what is on this machine", ui.Do(p.choose))
	found.When = func() bool { return len(p.found) > 0 }
	return []ui.Command{found, ask}
}

// choose opens a menu of what the machine has.
func (p *Page) choose() {
	offer := func(label, right string, paths ...string) dialog.Item {
		return dialog.Item{Label: label, Right: right, Do: ui.Do(func() { p.ui.Post(Import{paths}) })}
	}
	var items []dialog.Item
	var all []string
	for _, f := range p.found {
		all = append(all, f.Path)
		items = append(items, offer(f.Name+"  "+f.Shown, f.Facts, f.Path))
	}
	if len(all) > 1 {
		label := "Both"
		if len(all) > 2 {
			label = fmt.Sprintf("All %d of them", len(all))
		}
		items = append([]dialog.Item{offer(label, "", all...)}, items...)
	}
	menu := dialog.MenuOptions{Title: "Import", None: "Nothing of that name", Items: items}
	p.ui.Post(dialog.Open{Dialog: dialog.NewMenu(p.ui, menu)})
}

// narrow is the width below which only the commands of the steps are shown.
const narrow = 70

// View draws the steps that fill the archive, and above them what the machine has.
func (p *Page) View() []string {
	th := p.ui.Theme
	lines := []string{"", "  " + th.Bold.Render("Your archive is empty"), ""}
	steps := p.steps()
	if len(p.found) == 0 {
		lines = append(lines, "  Export your data from ChatGPT: Settings, Data controls, Export.", "")
	} else {
		const others = 2 // the heading, and the empty line below
		lines = append(lines, p.places(p.height-len(lines)-others-len(steps))...)
		lines = append(lines, "")
	}
	lines = append(lines, steps...)
	lines = append(lines, p.serverLines(p.height-len(lines)-2)...)
	if lines = append(lines, ""); p.opts.Archive != "" {
		lines = append(lines, th.Dim.Render("  archive: "+ui.Line(p.opts.Archive)))
	}
	return th.Block(lines, p.width, p.height)
}

// steps lists the commands that fill the archive.
func (p *Page) steps() (lines []string) {
	th := p.ui.Theme
	step := func(command, what string) {
		line := "    " + th.Key.Render(command)
		if p.width >= narrow {
			line = "    " + th.Key.Render(th.Fit(command, 28)) + th.Dim.Render(what)
		}
		lines = append(lines, line)
	}
	for _, c := range p.Commands() {
		switch key := p.ui.Key("welcome." + c.ID); {
		case !c.IsOffered():
		case p.width >= narrow:
			step(key, c.Group)
		default:
			lines = append(lines, "    "+th.Key.Render(th.Fit(key, 7))+th.Dim.Render(c.Group))
		}
	}
	step("lens import <export.zip>", "import it; nothing leaves this machine")
	step("lens demo", "try Lens with invented chats")
	return lines
}

// serverLines describes the model servers of this machine in at most n lines, nothing where they have no room.
func (p *Page) serverLines(n int) []string {
	const indent = "  "
	var lines []string
	for _, server := range p.servers {
		for _, line := range theme.Wrapped(server, max(1, p.width-2*len(indent))) {
			lines = append(lines, indent+p.ui.Theme.Dim.Render(line))
		}
	}
	if len(lines) == 0 || len(lines) >= n {
		return nil
	}
	return append([]string{""}, lines...)
}

// places lists what the machine has below a heading, at most n of it, at least one.
func (p *Page) places(n int) []string {
	th := p.ui.Theme
	shown := p.found[:min(len(p.found), max(n, 1))]
	heading := "  On this machine"
	if len(shown) < len(p.found) {
		heading += fmt.Sprintf(", %d of %d", len(shown), len(p.found))
	}
	lines := []string{heading + th.Dim.Render(", by name and size")}
	const name, path = 20, 36
	for _, f := range shown {
		line := "    " + th.Fit(f.Name, name) + " "
		if p.width >= narrow {
			line += th.Fit(f.Shown, path) + " "
		}
		lines = append(lines, line+th.Dim.Render(f.Facts))
	}
	return lines
}
