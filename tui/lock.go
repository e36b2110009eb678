package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"lens/tui/async"
)

// The lock. An encrypted archive may be locked at start, and is locked again by the user, after a while without a key
// press, and when the explorer is suspended. Locking drops the workspace, and with it every text of the archive; after
// unlocking, the saved session and chat are loaded. Only a chat that could not be saved stays in memory.

// guard locks the archive after a while.
type guard struct {
	touched time.Time // the last key press
	watched bool      // a command watches for idle time
	listens bool      // a command watches for a lock by another process
}

// lockedMsg reports the results of saving the session and of locking.
type lockedMsg struct{ saving, locking error }

// idleMsg triggers a check of how long no key was pressed.
type idleMsg struct{}

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
	session, keeper := m.session(m.look()), m.keeper
	return func() error { return keeper.Save(session) }
}

// shut shows the lock screen and drops every text of the archive from memory.
func (m *model) shut() {
	if m.locked.IsShown() || !m.hasVault() {
		return
	}
	m.stopAll()
	m.locked.Show()
	m.dialogs.Clear()
	m.chord = ""
	m.unpack()
	m.chat.Lock()
}

// takeUnlocked loads the session and the chat that were saved.
func (m *model) takeUnlocked() tea.Cmd { return tea.Batch(m.keeper.Reload(), m.chat.Unlock()) }

func (msg lockedMsg) take(m *model) tea.Cmd {
	switch {
	case msg.locking != nil:
		m.locked.Say("Couldn't clear the key: " + m.trouble("locking", msg.locking).message)
	case msg.saving != nil:
		m.locked.Say("Couldn't save the session: " + m.trouble("saving the session", msg.saving).message)
	}
	return nil
}

// watch starts the commands that wait for idle time and for a lock by another process.
func (m *model) watch() tea.Cmd {
	var cmds []tea.Cmd
	if m.opts.Lock.After > 0 && m.hasVault() && !m.guard.watched {
		m.guard.watched = true
		cmds = append(cmds, m.watchCmd(m.opts.Lock.After))
	}
	if m.opts.Lock.Elsewhere != nil && m.hasVault() && !m.guard.listens {
		m.guard.listens = true
		cmds = append(cmds, m.listenLockCmd())
	}
	return tea.Batch(cmds...)
}

func (m *model) listenLockCmd() tea.Cmd {
	ctx, locked := m.ui.Ctx, m.opts.Lock.Elsewhere
	return func() tea.Msg {
		select {
		case <-ctx.Done():
			return nil
		case <-locked:
			return shutMsg{}
		}
	}
}

// shutMsg reports that the archive was locked, here or by another process.
type shutMsg struct{}

func (shutMsg) take(m *model) tea.Cmd {
	m.guard.listens = false
	m.shut()
	return nil
}

func (m *model) watchCmd(wait time.Duration) tea.Cmd {
	ctx := m.ui.Ctx
	return func() tea.Msg {
		if !async.Wait(ctx, wait) {
			return nil
		}
		return idleMsg{}
	}
}

// take locks after LockAfter without a key press, unless that would interrupt a job or an answer.
func (idleMsg) take(m *model) tea.Cmd {
	left := m.opts.Lock.After - m.ui.Now().Sub(m.guard.touched)
	switch {
	case m.locked.IsShown():
		m.guard.watched = false
		return nil
	case m.jobs.IsBusy() || m.chat.IsAnswering():
		return m.watchCmd(m.opts.Lock.After)
	case left > 0:
		return m.watchCmd(left)
	}
	m.guard.watched = false
	return m.lock()
}
