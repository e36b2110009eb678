package chat

import (
	"cmp"
	"fmt"
	"strings"

	"lens/internal/errs"
	"lens/tui/theme"
)

// Drawing the chat: the exchanges, and the input at the bottom. Its title is the app's.

// SetSize sets the size of the chat, in cells.
func (c *Chat) SetSize(width, height int) {
	c.width, c.height = width, height
	c.composer.setSize(width, height)
}

// SetDense says whether the screen has few lines.
func (c *Chat) SetDense(dense bool) { c.said.Dense = dense }

// SetFocus sets which part has the focus.
func (c *Chat) SetFocus(f Focus) { c.focus = f }

// Needs returns how many lines of width cells the last exchange takes with the input, 0 without an exchange.
func (c *Chat) Needs(width int) int {
	if c.Last() == nil || width <= 0 {
		return 0
	}
	return c.answers.needs(width) + c.composer.rows()
}

// View draws the chat.
func (c *Chat) View() []string {
	if c.isSilent() {
		return append(c.answers.view(), c.ui.Theme.Block(nil, c.width, c.composer.rows())...)
	}
	focused, cut := c.focus != OnNothing, 0
	if focused { // else it would stand right below what says the same of the turn
		cut = c.said.Below()
	}
	lines := append(c.answers.view(), c.composer.view(focused, c.invitation(), cut)...)
	if c.rulesOffSources() {
		rule := c.height - c.composer.rows()
		lines[rule-1], lines[rule] = lines[rule], lines[rule-1]
	}
	return lines
}

// rulesOffSources reports whether the rule of the input is above the line of sources: it says how much is cut there.
func (c *Chat) rulesOffSources() bool {
	return c.said.sourced && c.composer.ruled && len(c.answers.noteLines()) == 0
}

// Cursor returns the position of the terminal's cursor in the input; x < 0 for none.
func (c *Chat) Cursor() (x, y int) {
	if c.width <= 0 || c.height <= 0 || c.isSilent() {
		return -1, 0
	}
	x, y = c.composer.cursor()
	return x, y + c.height - c.composer.rows()
}

// Remark returns the model and how much was asked or, while it answers, the elapsed time.
func (c *Chat) Remark() string {
	last := c.Last()
	if c.IsAnswering() && last != nil {
		wait := c.ui.Now().Sub(last.Asked).Seconds()
		stop := "chat.leave"
		if c.focus == OnQuestion {
			stop = "ask.stop"
		}
		return c.ui.Theme.Remarks(fmt.Sprintf("%s %.0f s", c.opts.Model, wait), c.ui.Key(stop)+" stops")
	}
	words := []string{c.opts.Model}
	if n := len(c.Exchanges()); n > 0 {
		words = append(words, theme.Count(n, "question", "questions"))
	}
	return c.ui.Theme.Remarks(words...)
}

// Arrange lays out the exchanges. The app calls it after each message, so that View changes nothing. A chat that is out
// of view stays as it is.
func (c *Chat) Arrange() {
	c.answers.width, c.answers.height = c.width, max(0, c.height-c.composer.rows())
	if c.width > 0 && c.height > 0 {
		c.answers.note, c.answers.plain = c.note(), c.opts.Investigator == nil
		c.answers.lay()
	}
}

// note says, until a question was asked, where questions go and what the model cannot do, or why there is none.
func (c *Chat) note() string {
	if c.asked {
		return ""
	}
	if c.opts.Investigator == nil {
		return c.lack()
	}
	first := fmt.Sprintf("Your question and the turns that %s reads are sent to %s.", c.opts.Model, c.opts.Host)
	if c.opts.Local {
		first = fmt.Sprintf("Your question and the turns that %s reads go to %s, on this machine.", c.opts.Model, c.opts.Host)
	}
	return strings.Join(append([]string{first}, c.informed...), "\n")
}

// lack says that there is no chat model, and how to get one: the servers of this machine, or else what to set.
func (c *Chat) lack() string {
	lines := append([]string{c.without()}, c.remedy()...)
	if c.opts.Err != nil {
		lines = append(lines, "Searching needs none.")
	}
	return strings.Join(lines, "\n")
}

// remedy says how to get a chat model, nil where that is not known.
func (c *Chat) remedy() []string {
	set, _, _ := strings.Cut(c.hint, ";")
	switch {
	case c.opts.Err == nil:
	case len(c.informed) > 0:
		return c.informed
	case set != "":
		return []string{capital(set) + ", and start Lens again."}
	}
	return nil
}

// refusal says in a line that nothing can be asked, and what to do.
func (c *Chat) refusal() string {
	said := c.without() // before the remedy, which it may explain
	if remedy := c.remedy(); len(remedy) > 0 {
		return said + ". " + strings.Join(remedy, " ")
	}
	return said
}

// without says that there is no chat model, in a sentence.
func (c *Chat) without() string {
	missing := c.missing()
	switch {
	case c.opts.Err == nil:
		return missing
	case errs.CodeOf(c.opts.Err) != errs.Unavailable:
		return capital(c.why)
	}
	return "No chat model yet"
}

func capital(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// isSilent reports whether there is no model to ask, and no question is typed.
func (c *Chat) isSilent() bool {
	return c.opts.Investigator == nil && c.Typed() == "" && c.focus != OnQuestion
}

// IsMute reports whether there is no model to ask, and no answer whose source a number opens. Only the input can have
// its focus then: it looks like a place to type, where letters must not be commands.
func (c *Chat) IsMute() bool { return c.opts.Investigator == nil && c.Last() == nil }

// missing says why there is no chat model and how to get one. That is explained once, since it may be logged.
func (c *Chat) missing() string {
	if c.why == "" && c.opts.Err != nil {
		c.why, c.hint = c.ui.Explained(c.opts.Err)
	}
	if c.hint != "" {
		return c.why + ": " + c.hint
	}
	return cmp.Or(c.why, "The chat is not available here")
}

func (c *Chat) invitation() string {
	switch {
	case c.opts.Investigator == nil:
		return ""
	case c.focus != OnQuestion:
		key := c.ui.Key("chat")
		if c.focus == OnAnswers {
			key = c.ui.Key("chat.look-into")
		}
		if c.Last() != nil {
			return key + " asks a follow-up"
		}
		return key + " asks about your archive"
	case c.Last() != nil:
		return "Ask a follow-up (" + c.ui.Key("ask.line-up") + " edits the last question)"
	}
	return "Ask about your archive (" + c.ui.Key("ask.send") + " sends)"
}
