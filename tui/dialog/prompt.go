package dialog

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"lens/tui/ui"
)

// PromptOptions says what to ask for.
type PromptOptions struct {
	Label string
	Hint  string // shown while nothing is typed
	Text  string // suggested: selected in a Prompt, so that typing replaces it

	// Answer takes the text, or says why not: then the text can be corrected.
	Answer func(text string) (cmd tea.Cmd, refusal string)
}

// Prompt asks for a line of text.
type Prompt struct {
	ui      *ui.Context
	opts    PromptOptions
	text    input
	refused string // why the last answer was refused

	width, height int // of the screen
}

// NewPrompt returns a prompt with the suggested text.
func NewPrompt(c *ui.Context, opts PromptOptions) *Prompt {
	p := &Prompt{ui: c, opts: opts, text: newInput(c, opts.Text)}
	p.text.selectAll()
	return p
}

// formWidth is the width of prompts and pickers.
const formWidth = 74

// SetSize sets the size of the screen.
func (p *Prompt) SetSize(width, height int) { p.width, p.height = width, height }

// promptHeight is that of a prompt that has refused nothing.
const promptHeight = 3

// Place returns where the prompt lies: so high that it hides bars of the chart, but neither its axis nor the list.
func (p *Prompt) Place() Rect {
	r := UpperMiddle(p.width, p.height, formWidth, promptHeight)
	r.Y = max(1, (p.height-promptHeight)/4)
	if p.refused != "" {
		r.H = min(promptHeight+1, p.height-2)
	}
	return r
}

// Hints returns the keys for the footer.
func (p *Prompt) Hints() []key.Binding { return []key.Binding{accepts, closes} }

// Update handles keys and pastes.
func (p *Prompt) Update(msg tea.Msg) (cmd tea.Cmd, done bool) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		switch {
		case key.Matches(msg, closes):
			return nil, true
		case key.Matches(msg, accepts):
			return p.accept()
		}
		p.text.edit(msg)
	case tea.PasteMsg:
		p.text.edit(msg)
	}
	return nil, false
}

func (p *Prompt) accept() (cmd tea.Cmd, done bool) {
	cmd, p.refused = p.opts.Answer(p.text.value())
	return cmd, p.refused == ""
}

// Cursor returns where the terminal's cursor stands.
func (p *Prompt) Cursor() (x, y int) {
	return p.Place().caret(&p.text)
}

// View draws the prompt.
func (p *Prompt) View() []string {
	r, th := p.Place(), p.ui.Theme
	return r.Framed(p.opts.Label, "", []string{
		r.field(&p.text, p.opts.Hint, th),
		gutter + th.Warn.Render(p.refused),
	}, th)
}
