package tui

import (
	tea "charm.land/bubbletea/v2"

	"lens/tui/querybar"
)

// question is an overlay that asks for one line of text.
type question struct {
	label   string
	hint    string // the placeholder
	refused string // why the last answer was refused
	bar     querybar.Bar
	answer  func(m *model, text string) (cmd tea.Cmd, refusal string)
}

// ask opens a question. If answer returns a refusal, it is shown and the text can be corrected.
func (m *model) ask(label, hint, text string, answer func(*model, string) (tea.Cmd, string)) tea.Cmd {
	return m.openOverlay(&question{label: label, hint: hint, bar: querybar.New(text), answer: answer})
}

func (q *question) place(w, h int) rect { return amid(w, h, 74, 4) }

func (q *question) cursor() (x, y int) { return q.bar.Column() + 2, 1 }

func (q *question) view(m *model, r rect) []string {
	return m.framed(r, func(w, h int) []string {
		return m.ui.Theme.Block([]string{
			m.ui.Theme.Focus.Render(m.ui.Theme.Spread(" "+q.label, "enter accepts, esc closes ", w)),
			" " + q.bar.View(w-1, true, q.hint, "", m.ui.Theme),
			" " + m.ui.Theme.Warn.Render(q.refused),
		}, w, h)
	})
}

func (q *question) paste(_ *model, text string) { q.bar.Insert(text) }

func (q *question) scroll(int) {}

func (q *question) hints() []hint {
	return []hint{{keys: "enter", does: "accept"}, {keys: "esc", does: "close"}}
}

func (q *question) press(m *model, pressed tea.KeyPressMsg) tea.Cmd {
	switch name := pressed.String(); name {
	case "esc", "ctrl+g":
		m.closeOverlay()
	case "enter":
		cmd, refusal := q.answer(m, q.bar.Text())
		if q.refused = refusal; refusal == "" && m.over == overlay(q) {
			m.closeOverlay()
		}
		return cmd
	default:
		if change := editOf(m.keys.query, name); change != nil {
			change(&q.bar)
		} else if pressed.Text != "" {
			q.bar.Insert(pressed.Text)
		}
	}
	return nil
}
