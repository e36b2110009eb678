package tui

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"lens/tui/async"
	"lens/tui/querybar"
)

// The lock. An encrypted archive may be locked at start, and is locked again by the user, after a while without a key
// press, and when the explorer is suspended. Locking drops the workspace, and with it every text of the archive; after
// unlocking, the saved session and chat are loaded. Only a chat that could not be saved stays in memory.

// Vault locks and unlocks an encrypted archive.
type Vault interface {
	// Unlock makes Open and the engine work. It may take seconds. After any error another PIN may be tried.
	Unlock(ctx context.Context, pin string) error

	// Lock drops the key. The engine then returns errors whose ErrorCode is "locked".
	Lock() error
}

// guard is the state of the lock screen.
type guard struct {
	locked  bool
	pin     querybar.Bar
	said    string // why it is still locked
	asked   async.Latest[int]
	tries   int
	touched time.Time // the last key press
	watched bool      // a command watches for idle time
	listens bool      // a command watches for a lock by another process

	dropped string        // the chat to load after unlocking
	kept    chan struct{} // of talk.saving, once that succeeded
}

// unlockedMsg reports the result of unlocking.
type unlockedMsg struct {
	gen int
	err error
}

// lockedMsg reports the results of saving the session and of locking.
type lockedMsg struct{ saving, locking error }

// reloadedMsg delivers the saved session after unlocking.
type reloadedMsg struct{ session *Session }

// idleMsg triggers a check of how long no key was pressed.
type idleMsg struct{}

func (m *model) hasVault() bool { return m.opts.Vault != nil }

// lock saves session and chat, then locks the archive.
func (m *model) lock() tea.Cmd {
	save := m.savingSession()
	m.shut()
	keep := m.chaseTalk()
	lock, kept := m.opts.Vault.Lock, m.talk.saving
	return tea.Batch(keep, m.ui.Tasks.Command(func() tea.Msg {
		saving := save()
		if kept != nil {
			select {
			case <-kept:
			case <-m.ui.Ctx.Done():
			}
		}
		return lockedMsg{saving, lock()}
	}))
}

// savingSession returns what saves the session as it is now.
func (m *model) savingSession() func() error {
	if m.opts.Sessions == nil || m.overview == nil || m.guard.locked {
		return func() error { return nil }
	}
	m.stopTalk()
	session, save := m.session(), m.opts.Sessions.Save
	return func() error { return save(session) }
}

// shut shows the lock screen and drops every text of the archive from memory.
func (m *model) shut() {
	if m.guard.locked || !m.hasVault() {
		return
	}
	m.stopAll()
	m.guard.locked, m.guard.said, m.guard.pin = true, "", querybar.Bar{}
	m.closeOverlay()
	m.notice, m.chord = "", ""
	talk := m.talk // dropped once it is saved
	m.workspace = newWorkspace()
	m.talk = talk
	m.dropTalk()
}

// pressLocked handles a key on the lock screen.
func (m *model) pressLocked(pressed tea.KeyPressMsg) tea.Cmd {
	switch name := pressed.String(); name {
	case "ctrl+c":
		if m.guard.asked.Stop() {
			m.guard.said = "Canceled"
			return nil
		}
		return tea.Quit
	case "ctrl+z":
		return tea.Suspend
	case "ctrl+l":
		return tea.ClearScreen
	case "enter":
		return m.unlock()
	case "esc":
		m.guard.pin.Clear()
	default:
		if change := editOf(m.keys.query, name); change != nil {
			change(&m.guard.pin)
		} else if pressed.Text != "" {
			m.guard.pin.Insert(pressed.Text)
		}
	}
	return nil
}

// unlock tries the typed PIN and clears the input.
func (m *model) unlock() tea.Cmd {
	pin := m.guard.pin.Text()
	if pin == "" || m.guard.asked.Waiting(m.ui.Now()) > 0 {
		return nil
	}
	m.guard.pin, m.guard.said = querybar.Bar{}, ""
	m.guard.tries++
	ctx, gen, _ := m.guard.asked.Ask(m.ui.Ctx, m.guard.tries, m.ui.Now())
	unlock := m.opts.Vault.Unlock
	return m.ui.Tasks.Command(func() tea.Msg { return unlockedMsg{gen, unlock(ctx, pin)} })
}

func (msg unlockedMsg) take(m *model) tea.Cmd {
	if !m.guard.asked.Accept(msg.gen) {
		return nil
	}
	if msg.err != nil {
		f := m.explained(msg.err)
		m.guard.said = m.ui.Theme.Remarks(f.message, f.hint)
		return nil
	}
	m.guard.locked, m.guard.said = false, ""
	return tea.Batch(m.reloadSession(), m.recallTalk())
}

func (m *model) reloadSession() tea.Cmd {
	if m.opts.Sessions == nil {
		return nil
	}
	load := m.opts.Sessions.Load
	return m.ui.Tasks.Command(func() tea.Msg {
		if session, ok := load(); ok {
			return reloadedMsg{&session}
		}
		return nil
	})
}

func (msg reloadedMsg) take(m *model) tea.Cmd {
	if m.guard.locked || m.isSearching() || m.draft.edited { // locked again, or typed meanwhile
		return nil
	}
	m.dress(*msg.session)
	if m.overview != nil {
		m.restore()
	}
	return nil
}

func (msg lockedMsg) take(m *model) tea.Cmd {
	switch {
	case msg.locking != nil:
		m.guard.said = "Couldn't clear the key: " + m.trouble("locking", msg.locking).message
	case msg.saving != nil:
		m.guard.said = "Couldn't save the session: " + m.trouble("saving the session", msg.saving).message
	}
	return nil
}

// watch starts the commands that wait for idle time and for a lock by another process.
func (m *model) watch() tea.Cmd {
	var cmds []tea.Cmd
	if m.opts.LockAfter > 0 && m.hasVault() && !m.guard.watched {
		m.guard.watched = true
		cmds = append(cmds, m.watchCmd(m.opts.LockAfter))
	}
	if m.opts.Locked != nil && m.hasVault() && !m.guard.listens {
		m.guard.listens = true
		cmds = append(cmds, m.listenLockCmd())
	}
	return tea.Batch(cmds...)
}

func (m *model) listenLockCmd() tea.Cmd {
	ctx, locked := m.ui.Ctx, m.opts.Locked
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
	left := m.opts.LockAfter - m.ui.Now().Sub(m.guard.touched)
	switch {
	case m.guard.locked:
		m.guard.watched = false
		return nil
	case len(m.jobs) > 0 || m.talk.stream != nil:
		return m.watchCmd(m.opts.LockAfter)
	case left > 0:
		return m.watchCmd(left)
	}
	m.guard.watched = false
	return m.lock()
}

// lockView draws the lock screen.
func (m *model) lockView(r rect) []string {
	said := m.guard.said
	if wait := m.guard.asked.Waiting(m.ui.Now()); wait > 0 {
		said = "Unlocking" + m.ui.Theme.Glyphs.Ellipsis
	}
	lines := make([]string, max(0, r.h/3-2), r.h)
	text := []string{
		m.ui.Theme.Bold.Render("Lens is locked"), "",
		m.ui.Theme.Accent.Render("PIN ") + strings.Repeat(m.ui.Theme.Glyphs.Mark, len([]rune(m.guard.pin.Text()))), "",
	}
	for line := range strings.SplitSeq(ansi.Wrap(said, max(1, r.w-2*m.lockIndent()), ""), "\n") {
		text = append(text, m.ui.Theme.Warn.Render(line))
	}
	hint := m.ui.Theme.Remarks("PIN or passphrase", "enter unlocks", "ctrl+c quits")
	for _, line := range append(text, m.ui.Theme.Dim.Render(hint)) {
		lines = append(lines, strings.Repeat(" ", m.lockIndent())+line)
	}
	return m.ui.Theme.Block(lines, r.w, r.h)
}

func (m *model) lockIndent() int { return max(1, (m.width-56)/2) }

// lockCursor returns the position of the cursor in the PIN.
func (m *model) lockCursor() (x, y int) {
	return m.lockIndent() + m.guard.pin.Column() + 2, max(0, m.height/3-2) + 2
}
