package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/internal/cleantext"
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

// proving is the overlay that shows the answer.
type proving struct{ proof.Page }

func (m *model) searchesOffline() bool { return m.opts.Search.Ask != nil }

// openProof runs the query offline.
func (m *model) openProof() tea.Cmd {
	question := m.asked.Words()
	if question == "" {
		m.notice = "Type a query first (press /)"
		return nil
	}
	o := &proving{proof.Page{Question: question, Levels: m.opts.Search.Levels}}
	m.lanes.proof.Forget()
	return tea.Batch(m.openOverlay(o), m.proofCmd(o))
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
	o, shown := m.over.(*proving)
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

func (*proving) place(w, h int) rect { return amid(w, h, min(100, w-4), h-4) }

func (o *proving) view(m *model, r rect) []string {
	return m.framed(r, func(w, h int) []string { return o.View(w, h, m.ui.Theme) })
}

func (o *proving) scroll(n int) { o.Move(n) }

func (*proving) hints() []hint {
	return []hint{
		{keys: "left right", does: "security"},
		{keys: "up down", does: "move"},
		{keys: "pgup pgdown", does: "scroll"},
		{keys: "enter", does: "read"},
		{keys: "esc", does: "close"},
	}
}

// paste closes the overlay and pastes into the query.
func (o *proving) paste(m *model, text string) {
	m.closeProof()
	m.insert(text)
}

func (m *model) closeProof() {
	m.lanes.proof.Forget()
	m.closeOverlay()
}

func (o *proving) press(m *model, pressed tea.KeyPressMsg) tea.Cmd {
	switch pressed.String() {
	case "esc", "q", "ctrl+g", "ctrl+c":
		m.closeProof()
	case "right", "l", "left", "h":
		step := map[string]int{"right": 1, "l": 1}[pressed.String()]
		if o.Slide(2*step - 1) {
			return m.proofCmd(o)
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
			return nil
		}
		m.closeProof()
		m.showTurn(id)
		m.focus = paneTurn
	}
	return nil
}
