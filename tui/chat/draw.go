package chat

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"lens/tui/ui"
)

// Drawing the chat: the exchanges, and the input at the bottom. Its title is the app's.

// drawnMsg delivers rendered answers.
type drawnMsg struct {
	number  int
	drawing Drawing
}

// SetSize sets the size of the chat, in cells.
func (c *Chat) SetSize(width, height int) {
	c.width, c.height = width, height
	c.composer.setSize(width, height)
}

// SetFocus sets which part has the focus.
func (c *Chat) SetFocus(f Focus) { c.focus = f }

// View draws the chat.
func (c *Chat) View() []string {
	return append(c.words(), c.composer.view(c.focus == OnQuestion, c.invitation())...)
}

// Cursor returns the position of the terminal's cursor in the input; x < 0 for none.
func (c *Chat) Cursor() (x, y int) {
	if c.width <= 0 || c.height <= 0 {
		return -1, 0
	}
	x, y = c.composer.cursor()
	return x, y + c.height - c.composer.rows()
}

// Remark returns the model and, while it answers, the elapsed time.
func (c *Chat) Remark() string {
	last := c.Last()
	if c.IsAnswering() && last != nil {
		wait := c.ui.Now().Sub(last.Asked).Seconds()
		return c.ui.Theme.Remarks(fmt.Sprintf("%s %.0f s", c.opts.Model, wait), "esc stops")
	}
	words := []string{c.opts.Model}
	if last != nil && len(last.Citations) > 0 {
		words = append(words, "1-9 enter opens a citation")
	}
	return c.ui.Theme.Remarks(append(words, ui.Line(c.record.session.Name))...)
}

// Arrange lays out the exchanges. The app calls it after each message, so that View changes nothing. A chat that is out
// of view stays as it is.
func (c *Chat) Arrange() {
	if c.width > 0 && c.height > 0 {
		c.said.Lay(c.width, c.wordRows()-len(c.noteLines()), c.ui.In(c.ui.Now()), c.ui.Theme)
	}
}

// words draws the exchanges, below them the privacy note until the first question.
func (c *Chat) words() []string {
	th, height, note := c.ui.Theme, c.wordRows(), c.noteLines()
	if c.Last() == nil {
		return th.Block(append([]string{""}, note...), c.width, height)
	}
	return append(c.said.View(c.width, height-len(note), th), th.Block(note, c.width, len(note))...)
}

// wordRows returns the height above the input.
func (c *Chat) wordRows() int { return max(0, c.height-c.composer.rows()) }

// noteLines returns the note in lines. A line is left for the exchanges.
func (c *Chat) noteLines() []string {
	text := c.note()
	if text == "" {
		return nil
	}
	lines := strings.Split(ansi.Wrap(text, max(1, c.width), ""), "\n")
	lines = lines[:min(len(lines), max(0, c.wordRows()-1))]
	for i, line := range lines {
		lines[i] = c.ui.Theme.Dim.Render(line)
	}
	return lines
}

// note says where questions go, before the first one of a run, or why there is no chat model.
func (c *Chat) note() string {
	o := c.opts
	switch {
	case o.Investigator == nil:
		return o.missing(c.ui)
	case c.asked:
		return ""
	case o.Local:
		return fmt.Sprintf("Your question and the turns that %s reads go to %s, on this machine.", o.Model, o.Host)
	}
	return fmt.Sprintf("Your question and the turns that %s reads are sent to %s.", o.Model, o.Host)
}

// missing says why there is no chat model and how to get one.
func (o Options) missing(c *ui.Context) string {
	if o.Err == nil {
		return "The chat is not available here"
	}
	message, hint := c.Explained(o.Err)
	if hint == "" {
		return message
	}
	return message + ": " + hint
}

func (c *Chat) invitation() string {
	switch {
	case c.opts.Investigator == nil:
		return ""
	case c.focus != OnQuestion:
		return "c to ask"
	case c.Last() != nil:
		return "Ask a follow-up (up edits the last question)"
	}
	return "Ask about your archive (enter sends)"
}

// draw renders answers, one job at a time; the next job includes everything received meanwhile.
func (c *Chat) draw() tea.Cmd {
	if c.width <= 0 || c.drawing.IsBusy() {
		return nil
	}
	todo, ok := c.said.Undrawn(c.width, c.ui.Theme)
	if !ok {
		return nil
	}
	_, number, ok := c.drawing.Ask(c.ui.Ctx, c.drawing.Key()+1, c.ui.Now())
	if !ok {
		return nil
	}
	render := c.render
	return c.ui.Tasks.Command(func() tea.Msg { return drawnMsg{number, todo.Draw(render)} })
}
