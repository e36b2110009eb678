// Package proof is the dialog of an offline answer: a slider for the security level, the answer with its sources, and
// how isolation was verified.
package proof

import (
	"context"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/internal/cleantext"
	"lens/tui/async"
	"lens/tui/dialog"
	"lens/tui/ui"
)

// Retriever answers without any network access, or says why it cannot.
type Retriever interface {
	// Levels returns the security levels, weakest first; the first is the default.
	Levels() []string
	// Ask answers a question. The texts of the answer need not be clean. It may be called again after any error.
	Ask(ctx context.Context, question, level string) (Answer, error)
}

// Hit is a turn or chunk that may support the answer.
type Hit struct {
	ID    string
	Cited string // filename (modified YYYY-MM-DD)
	Says  string // its best answering sentence
}

// Answer is an offline answer.
type Answer struct {
	Text  string
	Hits  []Hit
	Basis string // how isolation was verified, and where that is recorded

	Conclusions []Conclusion // that the user pinned before
}

// Conclusion is an answer that the user pinned.
type Conclusion struct {
	On, Text string   // the day as YYYY-MM-DD, and the answer
	Cited    []string // as Hit.Cited
}

// Options says what to ask.
type Options struct {
	Question string
	Read     func(turn uuid.UUID) tea.Cmd // opens the turn of a hit
}

// Dialog asks at the level of the slider and shows the answer.
type Dialog struct {
	ui        *ui.Context
	retriever Retriever
	read      func(uuid.UUID) tea.Cmd
	page      page
	asked     async.Latest[string] // by level

	width, height int // of the screen
}

// answeredMsg delivers the answer.
type answeredMsg struct {
	number int
	answer Answer
	err    error
}

// New returns a dialog at the default level.
func New(c *ui.Context, retriever Retriever, opts Options) *Dialog {
	return &Dialog{
		ui:        c,
		retriever: retriever,
		read:      opts.Read,
		page:      page{question: opts.Question, levels: retriever.Levels()},
	}
}

// Requests asks at the level of the slider.
func (d *Dialog) Requests() tea.Cmd {
	level, question := d.page.levels[d.page.level], d.page.question
	ctx, number, ok := d.asked.Ask(d.ui.Ctx, level, d.ui.Now())
	if !ok {
		return nil
	}
	d.page.answer, d.page.said = nil, "Verifying that nothing can leave, then searching"+d.ui.Theme.Glyphs.Ellipsis
	ask := d.retriever.Ask
	return d.ui.Tasks.Command(func() tea.Msg {
		answer, err := ask(ctx, question, level)
		if ctx.Err() != nil {
			return nil
		}
		return answeredMsg{number, answer, err}
	})
}

// Stop cancels the search and reports whether there was one.
func (d *Dialog) Stop() bool { return d.asked.Stop() }

// Closed ends the search.
func (d *Dialog) Closed() { d.asked.Stop() }

// Update handles keys, pastes, the wheel and answers.
func (d *Dialog) Update(msg tea.Msg) (cmd tea.Cmd, done bool) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return d.press(msg)
	case tea.PasteMsg:
		d.ui.Post(dialog.Pasted(msg.Content))
		return nil, true
	case tea.MouseWheelMsg:
		d.page.move(dialog.Notch(msg))
	case answeredMsg:
		d.handle(msg)
	}
	return nil, false
}

func (d *Dialog) handle(msg answeredMsg) {
	switch {
	case !d.asked.Accept(msg.number):
	case msg.err != nil:
		d.page.said = d.ui.Theme.Remarks(d.ui.Explained(msg.err))
	default:
		d.page.show(clean(msg.answer))
	}
}

// The keys.
var (
	slides  = key.NewBinding(key.WithKeys("left", "right"), key.WithHelp("left right", "security")) // for the footer
	moves   = key.NewBinding(key.WithKeys("up", "down"), key.WithHelp("up down", "move"))           // for the footer
	scrolls = key.NewBinding(key.WithKeys("pgup", "pgdown"), key.WithHelp("pgup pgdown", "scroll")) // for the footer
	reads   = key.NewBinding(key.WithKeys("enter"), key.WithHelp("enter", "read"))
	closes  = key.NewBinding(key.WithKeys("esc", "q", "ctrl+g"), key.WithHelp("esc", "close"))
)

// Hints returns the keys for the footer.
func (d *Dialog) Hints() []key.Binding { return []key.Binding{slides, moves, scrolls, reads, closes} }

func (d *Dialog) press(pressed tea.KeyPressMsg) (cmd tea.Cmd, done bool) {
	switch {
	case key.Matches(pressed, closes):
		return nil, true
	case key.Matches(pressed, reads):
		return d.enter()
	}
	switch pressed.String() {
	case "right", "l":
		d.page.slide(1)
	case "left", "h":
		d.page.slide(-1)
	case "down", "j", "tab":
		d.page.move(1)
	case "up", "k", "shift+tab":
		d.page.move(-1)
	case "pgdown", "space", "ctrl+d":
		d.scroll(1)
	case "pgup", "ctrl+u":
		d.scroll(-1)
	}
	return nil, false
}

// enter reads the turn of the hit under the cursor.
func (d *Dialog) enter() (cmd tea.Cmd, done bool) {
	hit, ok := d.page.chosen()
	id, err := uuid.Parse(hit.ID)
	if !ok || err != nil {
		return nil, false
	}
	return d.read(id), true
}

// scroll moves by n pages of what is in view.
func (d *Dialog) scroll(n int) {
	width, height := d.Place().Inside()
	d.page.view(width, height-1, d.ui.Theme) // measures it
	d.page.scroll(n)
}

// SetSize sets the size of the screen.
func (d *Dialog) SetSize(width, height int) { d.width, d.height = width, height }

// Place returns where the dialog lies.
func (d *Dialog) Place() dialog.Rect {
	return dialog.UpperMiddle(d.width, d.height, min(100, d.width-4), d.height-4)
}

// View draws the dialog.
func (d *Dialog) View() []string {
	shown := d.page // a copy: drawing changes nothing
	width, height := d.Place().Inside()
	title := "Offline search: " + d.ui.Theme.Quoted(shown.question)
	return d.Place().Framed(title, "", shown.view(width, height-1, d.ui.Theme), d.ui.Theme)
}

// clean returns an answer that is safe for the terminal.
func clean(a Answer) *Answer {
	text := func(s string) string { return cleantext.Columns(cleantext.Text(s)) }
	shown := Answer{Text: text(a.Text), Basis: ui.Line(a.Basis)}
	for _, h := range a.Hits {
		shown.Hits = append(shown.Hits, Hit{ID: h.ID, Cited: ui.Line(h.Cited), Says: ui.Line(h.Says)})
	}
	for _, c := range a.Conclusions {
		concluded := Conclusion{On: ui.Line(c.On), Text: text(c.Text)}
		for _, cited := range c.Cited {
			concluded.Cited = append(concluded.Cited, ui.Line(cited))
		}
		shown.Conclusions = append(shown.Conclusions, concluded)
	}
	return &shown
}
