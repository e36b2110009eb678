package chat

import (
	tea "charm.land/bubbletea/v2"

	"lens/tui/ui"
)

// Commands returns the commands for the answers.
func (c *Chat) Commands() []ui.Command {
	return []ui.Command{
		c.asking(ui.Hinted("look-into", "enter", "ask, or open source", c.enter)).Saying(c.enterSays),
		ui.Hinted("next-citation", "n", "source", ui.Do(func() { c.citing.step(1) })).While(c.cites),
		ui.Hinted("previous-citation", "N", "source", ui.Do(func() { c.citing.step(-1) })).While(c.cites),
		ui.Hinted("leave", "esc", "stop, close", ui.Do(c.leave)).Saying(c.stops("close")),
		ui.Hinted("fold-steps", "d", "steps", ui.Do(c.said.ToggleFold)).While(c.hasAsked),
		ui.Hinted("retry", "r", "ask again", c.retry).While(c.hasAsked),
		ui.Hinted("new-session", "ctrl+n", "new chat", c.begin).Anywhere().While(c.hasAsked).Leading(),
		ui.Hinted("sessions", "ctrl+o", "saved chats", c.openSessions).Anywhere(),
		ui.On("pin", "p", "pin answer, list", ui.Do(c.pin)),
		ui.On("pinned", "P", "pin answer, list", c.openSessions),
		ui.On("down", "j down", "scroll", ui.Do(func() { c.said.Scroll(1) })),
		ui.On("up", "k up", "scroll", ui.Do(func() { c.said.Scroll(-1) })),
		ui.On("page-down", "pgdown ctrl+d", "page", ui.Do(func() { c.said.ScrollPage(1) })),
		ui.On("page-up", "pgup ctrl+u", "page", ui.Do(func() { c.said.ScrollPage(-1) })),
		ui.On("first", "g home", "first/last", ui.Do(c.said.Home)),
		ui.On("last", "G end", "first/last", ui.Do(c.said.End)),
	}
}

// asking offers a command where there is somebody to ask, or a citation to open.
func (c *Chat) asking(command ui.Command) ui.Command {
	command.When = func() bool { return c.opts.Investigator != nil || c.Last() != nil || c.Typed() != "" }
	return command
}

// What the footer says that the keys do now.

func (c *Chat) hasAsked() bool { return c.Last() != nil }

func (c *Chat) cites() bool { return len(c.said.citations()) > 0 }

func (c *Chat) enterSays() string {
	if c.citing.chosen > 0 {
		return "open source"
	}
	return "ask"
}

func (c *Chat) sendSays() string {
	if n, ok := citationNumber(c.composer.text()); ok {
		if _, ok := c.said.Cited(n); ok {
			return "open source"
		}
	}
	if c.opts.Investigator == nil {
		return ""
	}
	return "ask"
}

// stops says that a key stops the answer in progress, else what it does without one.
func (c *Chat) stops(otherwise string) func() string {
	return func() string {
		if c.IsAnswering() {
			return "stop"
		}
		return otherwise
	}
}

// enter opens the chosen citation, else focuses the input.
func (c *Chat) enter() tea.Cmd {
	if c.citing.openChosen() {
		return nil
	}
	return c.Ask()
}

// openSessions lists the saved chats.
func (c *Chat) openSessions() tea.Cmd { return c.list.open(spot{}) }

// QuestionCommands returns the commands for the input.
func (c *Chat) QuestionCommands() []ui.Command {
	return append([]ui.Command{
		ui.Hinted("send", "enter", "ask, or open source", c.send).Saying(c.sendSays),
		ui.On("new-line", "ctrl+j alt+enter shift+enter", "new line", ui.Do(func() { c.composer.question.Insert("\n") })),
		ui.Hinted("stop", "esc ctrl+g", "stop, leave", ui.Do(c.leaveQuestion)).Saying(c.stops("leave")),
		c.asking(ui.Hinted("line-up", "up", "edit last question", ui.Do(func() { c.composer.lineUp(c.Last()) }))).
			While(func() bool { return c.hasAsked() && c.Typed() == "" }),
		ui.On("page-down", "pgdown", "", ui.Do(func() { c.said.ScrollPage(1) })),
		ui.On("page-up", "pgup", "", ui.Do(func() { c.said.ScrollPage(-1) })),
		ui.On("new-session", "ctrl+n", "new/saved chats", c.begin),
		ui.On("sessions", "ctrl+o", "new/saved chats", c.openSessions),
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
