package tui

import (
	"context"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/internal/cleantext"
	"lens/tui/dialog"
	"lens/tui/proof"
	"lens/tui/ui"
)

// Offline search answers the query without any network access, at the security level of a slider, or says why it
// cannot.

// OfflineSearch is the offline retriever.
type OfflineSearch struct {
	Levels []string // security levels, weakest first; the first is the default

	// Ask answers a question. Its texts need not be clean. It may be called again after any error.
	Ask func(ctx context.Context, question, level string) (proof.Answer, error)
}

// The types of its answers.
type (
	OfflineAnswer = proof.Answer
	OfflineHit    = proof.Hit

	OfflineConclusion = proof.Conclusion
)

// proofKey identifies a request.
type proofKey struct{ question, level string }

// provedMsg delivers the answer.
type provedMsg struct {
	gen    int
	answer proof.Answer
	err    error
}

// proving is the dialog that shows the answer.
type proving struct {
	proof.Page
	m             *model
	width, height int // of the screen
}

func (m *model) searchesOffline() bool { return m.opts.Search.Ask != nil }

// openProof runs the query offline.
func (m *model) openProof() tea.Cmd {
	question := m.asked.Words()
	if question == "" {
		m.notice = "Type a query first (press /)"
		return nil
	}
	o := &proving{Page: proof.Page{Question: question, Levels: m.opts.Search.Levels}, m: m}
	m.lanes.proof.Forget()
	return tea.Batch(m.open(o), m.proofCmd(o))
}

func (m *model) proofCmd(o *proving) tea.Cmd {
	key := proofKey{o.Question, o.Levels[o.Level]}
	ctx, gen, ok := m.lanes.proof.Ask(m.ui.Ctx, key, m.ui.Now())
	if !ok {
		return nil
	}
	o.Answer, o.Said = nil, "Verifying that nothing can leave, then searching"+m.ui.Theme.Glyphs.Ellipsis
	ask := m.opts.Search.Ask
	return m.ui.Tasks.Command(func() tea.Msg {
		answer, err := ask(ctx, key.question, key.level)
		if ctx.Err() != nil {
			return nil
		}
		return provedMsg{gen, answer, err}
	})
}

func (msg provedMsg) take(m *model) tea.Cmd {
	o, shown := m.dialogs.Top().(*proving)
	if !m.lanes.proof.Accept(msg.gen) || !shown {
		return nil
	}
	if msg.err != nil {
		f := m.explained(msg.err)
		o.Said = m.ui.Theme.Remarks(f.message, f.hint)
		return nil
	}
	o.Show(cleanProof(msg.answer))
	return nil
}

func cleanProof(a proof.Answer) *proof.Answer {
	clean := proof.Answer{Text: cleantext.Columns(cleantext.Text(a.Text)), Basis: ui.Line(a.Basis)}
	for _, h := range a.Hits {
		clean.Hits = append(clean.Hits, proof.Hit{ID: h.ID, Cited: ui.Line(h.Cited), Says: ui.Line(h.Says)})
	}
	for _, c := range a.Conclusions {
		shown := proof.Conclusion{On: ui.Line(c.On), Text: cleantext.Columns(cleantext.Text(c.Text))}
		for _, cited := range c.Cited {
			shown.Cited = append(shown.Cited, ui.Line(cited))
		}
		clean.Conclusions = append(clean.Conclusions, shown)
	}
	return &clean
}

// SetSize sets the size of the screen.
func (o *proving) SetSize(width, height int) { o.width, o.height = width, height }

// Place returns where the dialog lies.
func (o *proving) Place() dialog.Rect {
	return dialog.Amid(o.width, o.height, min(100, o.width-4), o.height-4)
}

// View draws the dialog.
func (o *proving) View() []string {
	r := o.Place()
	return r.Framed(o.Page.View(max(1, r.W-2), max(1, r.H-1), o.m.ui.Theme), o.m.ui.Theme)
}

// Hints returns the keys for the footer.
func (*proving) Hints() []key.Binding {
	told := func(keys, does string) key.Binding { return key.NewBinding(key.WithHelp(keys, does)) }
	return []key.Binding{
		told("left right", "security"),
		told("up down", "move"),
		told("pgup pgdown", "scroll"),
		told("enter", "read"),
		told("esc", "close"),
	}
}

// Closed stops the search.
func (o *proving) Closed() { o.m.lanes.proof.Forget() }

// Update handles keys, pastes and the wheel.
func (o *proving) Update(msg tea.Msg) (cmd tea.Cmd, done bool) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return o.press(msg)
	case tea.PasteMsg:
		o.m.ui.Post(dialog.Pasted(msg.Content))
		return nil, true
	case tea.MouseWheelMsg:
		step := 1
		if msg.Button == tea.MouseWheelUp || msg.Button == tea.MouseWheelLeft {
			step = -1
		}
		o.Move(step)
	}
	return nil, false
}

func (o *proving) press(pressed tea.KeyPressMsg) (cmd tea.Cmd, done bool) {
	switch pressed.String() {
	case "esc", "q", "ctrl+g":
		return nil, true
	case "right", "l", "left", "h":
		step := map[string]int{"right": 1, "l": 1}[pressed.String()]
		if o.Slide(2*step - 1) {
			return o.m.proofCmd(o), false
		}
	case "down", "j", "tab":
		o.Move(1)
	case "up", "k", "shift+tab":
		o.Move(-1)
	case "pgdown", "space", "ctrl+d":
		o.Scroll(1)
	case "pgup", "ctrl+u":
		o.Scroll(-1)
	case "enter":
		hit, ok := o.Chosen()
		id, err := uuid.Parse(hit.ID)
		if !ok || err != nil {
			return nil, false
		}
		o.m.showTurn(id)
		o.m.focus = paneTurn
		return nil, true
	}
	return nil, false
}
