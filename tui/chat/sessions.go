package chat

import (
	tea "charm.land/bubbletea/v2"
)

// The life of a chat: it is begun, continued, saved, and dropped from memory while the archive is locked.

// begin begins a new chat. The current one stays saved.
func (c *Chat) begin() tea.Cmd {
	c.Stop()
	c.record.begin()
	return c.Ask()
}

// resume continues a saved chat. It shows one of the exchanges, if there is one at that index.
func (c *Chat) resume(id string, exchange int) tea.Cmd {
	c.Stop()
	return c.record.load(id, exchange, false)
}

// handleLoaded shows a chat that was loaded.
func (c *Chat) handleLoaded(msg loadedMsg) {
	if c.record.handleLoaded(msg) && !msg.again {
		c.composer.replaces = false
		c.ui.Post(OnAnswers)
	}
}

// Save saves what has changed in the chat.
func (c *Chat) Save() tea.Cmd { return c.record.save() }

// Saved is closed when the last save is done; nil: there was none.
func (c *Chat) Saved() <-chan struct{} { return c.record.last }

// Lock drops the chat from memory as soon as it is saved, and stops the answer in progress.
func (c *Chat) Lock() {
	c.Stop()
	c.record.locked = true
	c.record.loading.Stop() // unlocking loads it again
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

// End saves the chat at exit, including an answer in progress. One that was forgotten meanwhile stays so.
func (c *Chat) End() error {
	c.Stop()
	return c.record.saveNow()
}
