package app

import (
	tea "charm.land/bubbletea/v2"
)

// The lock. An encrypted archive may be locked at start, and is locked again by the user, after a while without a key
// press, and when the explorer is suspended. Locking drops the workspace, and with it every text of the archive; after
// unlocking, the saved session and chat are loaded. Only a chat that could not be saved stays in memory.

// lockedMsg reports the results of saving the session and of locking.
type lockedMsg struct{ saving, locking error }

func (m *model) hasVault() bool { return m.opts.Lock.Vault != nil }

// lock saves session and chat, then locks the archive.
func (m *model) lock() tea.Cmd {
	save := m.savingSession()
	m.shut()
	saveChat, lock, saved := m.chat.Save(), m.opts.Lock.Vault.Lock, m.chat.Saved()
	return tea.Batch(saveChat, m.ui.Tasks.Command(func() tea.Msg {
		saving := save()
		if saved != nil {
			select {
			case <-saved:
			case <-m.ui.Ctx.Done():
			}
		}
		return lockedMsg{saving, lock()}
	}))
}

// savingSession returns what saves the session as it is now.
func (m *model) savingSession() func() error {
	if !m.keeps() || m.locked.IsShown() {
		return func() error { return nil }
	}
	m.chat.Stop()
	return m.keeper.Saving(m.session(m.look()))
}

// shut shows the lock screen and drops every text of the archive from memory.
func (m *model) shut() {
	if m.locked.IsShown() || !m.hasVault() {
		return
	}
	m.stop()
	m.locked.Show()
	m.dialogs.Clear()
	m.hint = ""
	if m.keeps() { // else those of a lock before this one are still to be loaded
		m.hadPins = len(m.finder.Pins().All()) > 0
	}
	m.reset()
	m.chat.Lock()
}

// handleUnlocked loads the session and the chat that were saved.
func (m *model) handleUnlocked() tea.Cmd { return tea.Batch(m.keeper.Reload(), m.chat.Unlock()) }

// handleLocked says what could not be done.
func (m *model) handleLocked(msg lockedMsg) {
	switch {
	case msg.locking != nil:
		m.locked.Say("Couldn't clear the key: " + m.explain("locking", msg.locking))
	case msg.saving != nil:
		m.locked.Say("Couldn't save the session: " + m.explain("saving the session", msg.saving))
	}
}

// lockIdle locks after a while without a key press, unless that would interrupt a job or an answer.
func (m *model) lockIdle() tea.Cmd {
	if m.locked.IsShown() || m.jobs.IsBusy() || m.chat.IsAnswering() {
		return nil
	}
	return m.lock()
}
