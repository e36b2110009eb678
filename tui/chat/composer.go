package chat

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"lens/tui/theme"
	"lens/tui/ui"
)

// composer is the input at the bottom, where the next question is written.
type composer struct {
	ui       *ui.Context
	question Question
	replaces bool // the text takes the place of the last question

	width, limit int  // limit is the greatest number of lines
	ruled        bool // a line of the chat is left to set it apart
}

func newComposer(c *ui.Context) composer { return composer{ui: c, question: newQuestion(), limit: 1} }

// mostInput is the greatest height of the input; ruledFrom is the least height of a chat with a rule above it.
const mostInput, ruledFrom = 4, 5

// setSize sets the width, in cells, and the height of the chat.
func (c *composer) setSize(width, height int) {
	if c.width != width {
		c.question.SetWidth(width)
	}
	c.width, c.limit, c.ruled = width, max(1, min(mostInput, height/2)), height >= ruledFrom
}

// commands returns the commands that edit the text.
func (c *composer) commands() []ui.Command {
	var all []ui.Command
	for _, e := range edits {
		all = append(all, ui.On(e.id, e.keys, e.group, ui.Do(func() { c.question.Press(e.key) })))
	}
	return append(all, ui.On("copy-selection", "alt+c", "select all, copy", ui.Do(c.copySelection)))
}

// text returns the question without the space around it.
func (c *composer) text() string { return strings.TrimSpace(c.question.Text()) }

// lineUp moves the cursor a line up. In an empty input it recalls the last question, which the text then replaces.
func (c *composer) lineUp(last *Exchange) {
	if last != nil && c.question.Text() == "" {
		c.question.Insert(last.Question)
		c.replaces = true
		return
	}
	c.question.Press(tea.KeyPressMsg{Code: tea.KeyUp})
}

// copySelection copies the selected text.
func (c *composer) copySelection() {
	if text := c.question.Selected(); text != "" {
		c.ui.Post(ui.Copy(text))
	}
}

// rows returns the height.
func (c *composer) rows() int { return c.question.Rows(c.limit) + c.rule() }

// rule returns the height of the rule.
func (c *composer) rule() int {
	if c.ruled {
		return 1
	}
	return 0
}

// view draws the input below a rule that says how many lines are cut above it. placeholder shows while nothing is
// typed.
func (c *composer) view(focused bool, placeholder string, cut int) []string {
	th, lines := c.ui.Theme, []string(nil)
	if c.ruled {
		says := ""
		if cut > 0 {
			says = th.Faint.Render(theme.Count(cut, "line", "lines") + " below")
		}
		lines = []string{th.Ruled("", says, c.width)}
	}
	return append(lines, c.question.View(c.width, c.question.Rows(c.limit), focused, placeholder, th)...)
}

// cursor returns where the cursor stands.
func (c *composer) cursor() (x, y int) {
	x, y = c.question.Cursor(c.question.Rows(c.limit))
	return x, y + c.rule()
}

// point moves the cursor to a cell.
func (c *composer) point(x, y int) { c.question.Point(x, max(0, y-c.rule()), c.question.Rows(c.limit)) }
