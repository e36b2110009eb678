package dialog

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"lens/tui/ui"
)

// LineOptions says what a line is typed for.
type LineOptions struct {
	Label    string
	Hint     string // shown while nothing is typed
	Text     string
	Changed  func(text string) // after each change
	Accepted func()
	Canceled func()
	Remark   func() string // shown at the right
}

// Line is a line of text above the footer, in which what is typed takes effect at once.
type Line struct {
	ui            *ui.Context
	opts          LineOptions
	text          input
	width, height int // of the screen
}

// NewLine returns a line with a text.
func NewLine(c *ui.Context, opts LineOptions) *Line {
	return &Line{ui: c, opts: opts, text: newInput(c, opts.Text)}
}

// SetSize sets the size of the screen.
func (l *Line) SetSize(width, height int) { l.width, l.height = width, height }

// Place returns where the line lies.
func (l *Line) Place() Rect { return Rect{0, max(0, l.height-2), l.width, 1} }

// KeepsPanes says that one sees in the panes what the line does.
func (l *Line) KeepsPanes() {}

// Hints returns the keys for the footer.
func (l *Line) Hints() []key.Binding { return []key.Binding{accepts, closes} }

// Update handles keys and pastes.
func (l *Line) Update(msg tea.Msg) (cmd tea.Cmd, done bool) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		switch {
		case key.Matches(msg, closes):
			l.opts.Canceled()
			return nil, true
		case key.Matches(msg, accepts):
			l.opts.Accepted()
			return nil, true
		}
		l.edit(msg)
	case tea.PasteMsg:
		l.edit(msg)
	}
	return nil, false
}

func (l *Line) edit(msg tea.Msg) {
	before := l.text.value()
	if l.text.edit(msg); l.text.value() != before {
		l.opts.Changed(l.text.value())
	}
}

// Cursor returns where the terminal's cursor stands.
func (l *Line) Cursor() (x, y int) {
	x, _ = l.text.column(l.room())
	return len(l.label()) + x, 0
}

func (l *Line) label() string { return " " + l.opts.Label + " " }

// room is the width for the text.
func (l *Line) room() int { return max(1, min(60, l.width-len(l.label()))) }

// View draws the line.
func (l *Line) View() []string {
	th := l.ui.Theme
	typed := th.Bold.Render(l.label()) + l.text.view(l.room(), l.opts.Hint, th)
	return []string{th.Spread(typed, th.Dim.Render(l.opts.Remark()+" "), l.width)}
}
