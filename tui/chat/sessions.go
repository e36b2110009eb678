package chat

import (
	tea "charm.land/bubbletea/v2"

	"lens/agent"
)

// The life of a chat: it is begun, continued, saved, and dropped from memory while the archive is locked.

// begin begins a new chat. The current one stays saved.
func (c *Chat) begin() tea.Cmd {
	c.Stop()
	save := c.Save()
	c.record.begin()
	return tea.Batch(save, c.Ask())
}

// resume continues a saved chat. It shows one of the exchanges, if there is one at that index.
func (c *Chat) resume(s agent.Session, exchange int) tea.Cmd {
	c.Stop()
	save := c.Save()
	c.record.open(s)
	c.composer.replaces = false
	c.said.Seek(exchange)
	c.ui.Post(OnAnswers)
	return save
}

// Save saves the chat, if an exchange has ended since it was saved.
func (c *Chat) Save() tea.Cmd {
	if c.IsAnswering() {
		return nil
	}
	return c.record.save()
}

// Saved is closed when the last save is done; nil: there was none.
func (c *Chat) Saved() <-chan struct{} { return c.record.last }

// Lock drops the chat from memory as soon as it is saved, and stops the answer in progress.
func (c *Chat) Lock() {
	c.Stop()
	c.record.locked = true
	c.record.recalling.Stop() // unlocking loads it again
	c.list.loading.Stop()
	c.drop()
}

// drop drops the chat of a locked archive from memory if it is completely saved.
func (c *Chat) drop() {
	if c.record.drop() {
		c.answers.forget()
		c.citing.forget()
		c.ready, c.composer.replaces = false, false
	}
}

// Unlock loads the chat that was dropped.
func (c *Chat) Unlock() tea.Cmd {
	c.record.locked = false
	return c.record.recall()
}

// End saves the chat at exit, including an answer in progress.
func (c *Chat) End() error {
	c.Stop()
	return c.record.saveNow()
}
