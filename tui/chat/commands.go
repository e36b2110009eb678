package chat

import (
	tea "charm.land/bubbletea/v2"

	"lens/tui/ui"
)

// Commands returns the commands for the answers.
func (c *Chat) Commands() []ui.Command {
	return []ui.Command{
		ui.Hinted("chat", "c i enter", "ask a question", c.Ask),
		ui.Hinted("stop", "esc", "stop, close", ui.Do(c.leave)),
		ui.Hinted("fold-steps", "d", "fold steps", ui.Do(c.said.ToggleFold)),
		ui.Hinted("retry", "r", "ask again", c.retry),
		ui.Hinted("sessions", "s", "saved chats", func() tea.Cmd { return c.list.open(spot{}) }),
		ui.On("new-session", "n", "new chat", c.begin),
		ui.On("pin-answer", "p", "pin answer", ui.Do(c.pin)),
		ui.On("scroll-down", "j down", "scroll", ui.Do(func() { c.said.Scroll(1) })),
		ui.On("scroll-up", "k up", "scroll", ui.Do(func() { c.said.Scroll(-1) })),
		ui.On("page-down", "space pgdown ctrl+d", "page", ui.Do(func() { c.said.ScrollPage(1) })),
		ui.On("page-up", "b pgup ctrl+u", "page", ui.Do(func() { c.said.ScrollPage(-1) })),
		ui.On("beginning", "g home", "start/end", ui.Do(c.said.Home)),
		ui.On("end", "G end", "start/end", ui.Do(c.said.End)),
	}
}

// QuestionCommands returns the commands for the input.
func (c *Chat) QuestionCommands() []ui.Command {
	return append([]ui.Command{
		ui.Hinted("send", "enter", "ask, or open citation", c.send),
		ui.On("new-line", "ctrl+j alt+enter shift+enter", "new line", ui.Do(func() { c.composer.question.Insert("\n") })),
		ui.Hinted("stop", "esc ctrl+g", "stop, leave", ui.Do(c.leaveQuestion)),
		ui.Hinted("line-up", "up", "edit last question", ui.Do(func() { c.composer.lineUp(c.Last()) })),
		ui.On("page-down", "pgdown", "", ui.Do(func() { c.said.ScrollPage(1) })),
		ui.On("page-up", "pgup", "", ui.Do(func() { c.said.ScrollPage(-1) })),
	}, c.composer.commands()...)
}

// Scroll scrolls the exchanges by lines.
func (c *Chat) Scroll(n int) { c.said.Scroll(n) }

// pin marks or unmarks the last answer as a conclusion.
func (c *Chat) pin() {
	last := c.Last()
	if last == nil || last.State != Answered {
		c.notify("No answer to pin")
		return
	}
	last.Pin()
	if last.Conclusion {
		c.notify("Pinned as a conclusion (" + c.ui.Key("chat.sessions") + " lists it)")
	} else {
		c.notify("Unpinned: no longer a conclusion")
	}
	c.record.pin(last)
}
