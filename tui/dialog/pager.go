package dialog

import (
	"strings"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/viewport"
	tea "charm.land/bubbletea/v2"

	"lens/tui/ui"
)

// Pager shows text that can be scrolled: the help, the errors. It lies over all panes, without a frame.
type Pager struct {
	ui    *ui.Context
	title string
	text  func(width int) []string
	view  viewport.Model // only for scrolling: any key that does not scroll closes

	width, height int // of the screen
}

// NewPager returns a pager of the lines that text returns for a width. Text may change while it is open.
func NewPager(c *ui.Context, title string, text func(width int) []string) *Pager {
	p := &Pager{ui: c, title: title, text: text, view: viewport.New()}
	p.view.KeyMap = viewport.KeyMap{}
	return p
}

const (
	pagerHead = 2 // the number of lines above the text
	wheelRows = 3 // a notch of the wheel
)

// SetSize sets the size of the screen.
func (p *Pager) SetSize(width, height int) {
	p.width, p.height = width, height
	r := p.Place()
	p.view.SetWidth(max(0, r.W))
	p.view.SetHeight(max(0, r.H-pagerHead))
	p.view = p.filled()
}

// Place returns where the pager lies.
func (p *Pager) Place() Rect { return BelowQuery(p.width, p.height) }

// Hints returns the keys for the footer.
func (p *Pager) Hints() []key.Binding { return []key.Binding{scrolls, pages, quits} }

// filled returns the view with the text of now.
func (p *Pager) filled() viewport.Model {
	view := p.view
	var lines []string
	for _, line := range p.text(view.Width()) {
		lines = append(lines, p.ui.Theme.Fit(line, view.Width()))
	}
	view.SetContentLines(lines)
	return view
}

// Update handles keys, pastes and the wheel.
func (p *Pager) Update(msg tea.Msg) (cmd tea.Cmd, done bool) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return nil, !p.press(msg)
	case tea.PasteMsg:
		p.ui.Post(Pasted(msg.Content))
		return nil, true
	case tea.MouseWheelMsg:
		p.scroll(Notch(msg) * wheelRows)
	}
	return nil, false
}

// press scrolls, or reports that the key does not.
func (p *Pager) press(pressed tea.KeyPressMsg) bool {
	switch {
	case key.Matches(pressed, lineDown):
		p.scroll(1)
	case key.Matches(pressed, lineUp):
		p.scroll(-1)
	case key.Matches(pressed, screenDown):
		p.scroll(p.height / 2)
	case key.Matches(pressed, screenUp):
		p.scroll(-p.height / 2)
	case key.Matches(pressed, toTop):
		p.view.GotoTop()
	case key.Matches(pressed, toBottom):
		p.view = p.filled()
		p.view.GotoBottom()
	default:
		return false
	}
	return true
}

func (p *Pager) scroll(n int) {
	p.view = p.filled()
	p.view.SetYOffset(p.view.YOffset() + n)
}

// View draws the pager.
func (p *Pager) View() []string {
	r, th, view := p.Place(), p.ui.Theme, p.filled()
	remark := "any key closes"
	if view.TotalLineCount() > view.Height() {
		remark = "j/k scroll, any other key closes"
	}
	head := []string{th.Spread(th.Title(p.title, true), th.Dim.Render(remark), r.W), ""}
	return th.Block(append(head, strings.Split(view.View(), "\n")...), r.W, r.H)
}
