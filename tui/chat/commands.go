package chat

import (
	tea "charm.land/bubbletea/v2"

	"lens/tui/ui"
)

// Commands returns the commands for the answers.
func (c *Chat) Commands() []ui.Command {
	return []ui.Command{
		hinted("chat", "c i enter", "ask a question", c.Ask),
		hinted("stop", "esc", "stop, close", c.leave),
		hinted("fold-steps", "d", "fold steps", c.foldSteps),
		hinted("retry", "r", "ask again", c.retry),
		hinted("sessions", "s", "saved chats", c.list),
		ui.On("new-session", "n", "new chat", c.Begin),
		ui.On("pin-answer", "p", "pin answer", c.pin),
		ui.On("scroll-down", "j down", "scroll", c.scroll(1)),
		ui.On("scroll-up", "k up", "scroll", c.scroll(-1)),
		ui.On("page-down", "space pgdown ctrl+d", "page", c.scrollPages(1)),
		ui.On("page-up", "b pgup ctrl+u", "page", c.scrollPages(-1)),
		ui.On("beginning", "g home", "start/end", c.toStart),
		ui.On("end", "G end", "start/end", c.toEnd),
	}
}

// QuestionCommands returns the commands for the input.
func (c *Chat) QuestionCommands() []ui.Command {
	commands := []ui.Command{
		hinted("send", "enter", "ask, or open citation", c.send),
		ui.On("new-line", "ctrl+j alt+enter shift+enter", "new line", c.breakLine),
		hinted("stop", "esc ctrl+g", "stop, leave", c.leaveQuestion),
		hinted("line-up", "up", "edit last question", c.lineUp),
		ui.On("page-down", "pgdown", "", c.scrollPages(1)),
		ui.On("page-up", "pgup", "", c.scrollPages(-1)),
	}
	for _, e := range edits {
		commands = append(commands, ui.On(e.id, e.keys, e.group, func() tea.Cmd {
			c.question.Press(e.key)
			return nil
		}))
	}
	return append(commands, ui.On("copy-selection", "alt+c", "select all, copy", c.copySelection))
}

// hinted returns a command that the footer lists, too.
func hinted(id, keys, group string, do func() tea.Cmd) ui.Command {
	command := ui.On(id, keys, group, do)
	command.Hint = true
	return command
}

// Scroll scrolls the exchanges by lines.
func (c *Chat) Scroll(n int) { c.said.Scroll(n) }

func (c *Chat) scroll(n int) func() tea.Cmd {
	return func() tea.Cmd {
		c.said.Scroll(n)
		return nil
	}
}

func (c *Chat) scrollPages(n int) func() tea.Cmd {
	return func() tea.Cmd {
		c.said.ScrollPage(n)
		return nil
	}
}

func (c *Chat) toStart() tea.Cmd {
	c.said.Home()
	return nil
}

func (c *Chat) toEnd() tea.Cmd {
	c.said.End()
	return nil
}

func (c *Chat) foldSteps() tea.Cmd {
	c.said.ToggleFold()
	return nil
}

func (c *Chat) breakLine() tea.Cmd {
	c.question.Insert("\n")
	return nil
}

// lineUp moves the cursor a line up. In an empty input it recalls the last question for editing.
func (c *Chat) lineUp() tea.Cmd {
	if last := c.Last(); last != nil && c.question.Text() == "" {
		c.question.Insert(last.Question)
		c.editing = true
		return nil
	}
	c.question.Press(tea.KeyPressMsg{Code: tea.KeyUp})
	return nil
}

// copySelection copies the selected text of the question.
func (c *Chat) copySelection() tea.Cmd {
	if text := c.question.Selected(); text != "" {
		c.ui.Post(ui.Copy(text))
	}
	return nil
}

// pin marks or unmarks the last answer as a conclusion.
func (c *Chat) pin() tea.Cmd {
	last := c.Last()
	if last == nil || last.State != Answered {
		c.notify("No answer to pin")
		return nil
	}
	last.Pin()
	if last.Conclusion {
		c.notify("Pinned as a conclusion (s lists it)")
	} else {
		c.notify("Unpinned: no longer a conclusion")
	}
	c.saves.due = true
	return nil
}
