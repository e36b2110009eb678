package chat

import (
	tea "charm.land/bubbletea/v2"

	"lens/agent"
)

// Asking: what is sent as a question, and in which conversation.

// send sends the question; a number alone opens that citation.
func (c *Chat) send() tea.Cmd {
	text := c.composer.text()
	if n, ok := citationNumber(text); ok {
		c.composer.question.Clear()
		c.citing.open(n)
		return nil
	}
	switch {
	case c.opts.Investigator == nil:
		c.notify(c.refusal())
		return nil
	case text == "":
		return nil
	case !c.ready:
		c.notify("The archive isn't open yet")
		return nil
	}
	if c.composer.replaces {
		c.replaceLast()
	}
	c.composer.question.Clear()
	return c.investigate(text)
}

// replaceLast removes the last exchange, before its question is edited or repeated, unless it is a conclusion.
func (c *Chat) replaceLast() {
	if last := c.Last(); last != nil && !last.Conclusion {
		c.Stop()
		c.record.remove(last)
		c.said.DropLast()
	}
}

// retry asks the last question again.
func (c *Chat) retry() tea.Cmd {
	last := c.Last()
	if last == nil || c.opts.Investigator == nil || !c.ready {
		c.notify("No question to ask again")
		return nil
	}
	c.replaceLast()
	return c.investigate(last.Question)
}

// investigate saves a question and sends it. It stops an answer in progress, which keeps what it has.
func (c *Chat) investigate(question string) tea.Cmd {
	c.Stop()
	c.asked, c.composer.replaces = true, false
	c.citing.forget()
	messages := append(c.record.history(), agent.Message{Role: agent.User, Text: question})
	c.ui.Post(OnAnswers)
	asked := c.said.Add(question, c.ui.Now())
	c.record.stay()
	c.record.put(asked)
	return c.investigation.begin(asked, messages)
}

// Stop stops the answer in progress, keeps what it has, and reports whether there was one.
func (c *Chat) Stop() bool {
	stopped := c.investigation.stop()
	if stopped != nil {
		c.record.put(stopped)
	}
	return stopped != nil
}

// handleHeard saves the answer when it has ended.
func (c *Chat) handleHeard(msg heardMsg) tea.Cmd {
	next, ended := c.investigation.handle(msg)
	if ended != nil {
		c.record.put(ended)
	}
	return next
}
