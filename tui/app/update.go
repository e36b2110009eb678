package app

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"lens/internal/errs"
	"lens/tui/archive"
	"lens/tui/chat"
	"lens/tui/dialog"
	"lens/tui/home"
	"lens/tui/jobs"
	"lens/tui/lock"
	"lens/tui/reader"
	"lens/tui/results"
	"lens/tui/search"
	"lens/tui/state"
	"lens/tui/timeline"
	"lens/tui/ui"
	"lens/tui/welcome"
	"lens/tui/zoom"
)

// Update handles a message, then requests what the new state needs. The history's current entry is always where one was
// before the message, so that a change only has to add the next.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.places.replace(m.place())
	cmd := m.handle(msg)
	return m, tea.Batch(cmd, m.receive(), m.settle(), m.idler.after(m.ui.Ctx, msg, m.ui.Now(), m.pace.idle))
}

func (m *model) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.resize(msg.Width, msg.Height)
	case tea.ColorProfileMsg:
		m.setProfile(msg.Profile)
	case tea.BackgroundColorMsg:
		m.adapt(msg.IsDark())
	case tea.KeyPressMsg:
		return m.press(msg)
	case tea.MouseMsg:
		return m.handleMouse(msg)
	case tea.PasteMsg:
		if m.locked.IsShown() {
			return m.locked.Update(msg)
		}
		if m.dialogs.IsOpen() {
			return m.dialogs.Update(msg)
		}
		return m.insert(msg)
	case whichMsg:
		m.lists = m.chord != "" && m.count == msg.count
	case tickMsg:
		return m.tick()
	case lockedMsg:
		m.handleLocked(msg)
	default:
		var cmds []tea.Cmd
		parts := append(m.parts(), m.locked, m.watcher, m.chat, m.jobs)
		each(parts, func(p interface{ Update(tea.Msg) tea.Cmd }) { cmds = append(cmds, p.Update(msg)) })
		return tea.Batch(cmds...)
	}
	return nil
}

// receive handles what components have posted, and what they post then.
func (m *model) receive() tea.Cmd {
	var cmds []tea.Cmd
	for posted := m.ui.Posted(); len(posted) > 0; posted = m.ui.Posted() {
		for _, msg := range posted {
			cmds = append(cmds, m.handlePosted(msg))
		}
	}
	return tea.Batch(cmds...)
}

// handlePosted handles what a component has posted. What concerns the archive alone is the workspace's.
func (m *model) handlePosted(msg any) tea.Cmd {
	switch msg := msg.(type) {
	case archive.Opened[Engine]:
		m.opts.Settings.Query = ""
		m.setEngine(msg.Engine)
		return m.jobs.KeepUp(m.pace.update)
	case archive.Changed:
		m.refresh()
		return m.jobs.Recount()
	case jobs.Ended:
		m.refresh()
	case state.Loaded:
		m.reloaded(msg.Session)
	case lock.Idle:
		return m.lockIdle()
	case lock.Locked:
		m.shut()
	case lock.Unlocked:
		return m.handleUnlocked()
	case ui.Failed:
		if codeOf(msg.Err) == errs.Locked {
			m.shut()
		}
		m.report(msg, m.width)
	case results.TurnSelected:
		m.showTurn(msg.ID)
		m.focusTurn(msg.Focus)
	case ui.OpenTurn:
		m.openTurn(msg.ID, m.places.push)
		m.reader.ShowCited(msg.Answer)
		m.focusTurn(msg.Focus)
	case chat.Focus:
		m.focusChat(msg)
	case chat.Follow:
		if m.isChatting() && !m.dialogs.IsOpen() {
			m.followAgent(msg)
		}
	case timeline.WindowChanged:
		m.leaveHomeFor(paneTimeline)
		m.windowChanged(msg)
	case home.LookInto:
		m.lookInto(msg)
	case home.Topic:
		m.lookIntoTopic(msg.Name)
	case welcome.AskImport:
		return m.jobs.AskImport()
	case welcome.Import:
		return m.jobs.Import(msg.Paths)
	case dialog.Pasted:
		return m.insert(tea.PasteMsg{Content: string(msg)})
	default:
		return m.workspace.handlePosted(msg)
	}
	return nil
}

// handlePosted handles what concerns the archive alone.
func (w *workspace) handlePosted(msg any) tea.Cmd {
	switch msg := msg.(type) {
	case archive.Surveyed:
		w.surveyed(msg)
	case state.AskBookmark:
		return w.bookmark()
	case state.Visit:
		w.visit(msg.Place)
	case ui.Notify:
		w.footer.Say(string(msg))
	case results.EditFilters:
		return w.bar.OpenFilters()
	case ui.Copy:
		return w.exporter.Copy(string(msg))
	case ui.SeekAlike:
		w.bar.SeekLike(w.similarTo(msg.ID))
	case search.QueryChanged:
		if !msg.Continues {
			w.places.push(w.place())
		}
	case search.Aimed:
		w.keepAll = false
		if !w.isSearching() && msg.Span != (zoom.Span{}) {
			w.results.ListNewest()
		}
		w.timeline.Aim(msg.Span, msg.Was == zoom.Span{})
	case timeline.CursorMoved:
		w.bar.ForgetNoTurns()
		w.results.ChooseIn(msg.Bin)
	case results.CursorMoved:
		w.linked.pursue(msg.ID)
	case reader.Turned:
		w.results.Choose(msg.ID)
		w.linked.pursue(msg.ID)
	case dialog.Open:
		w.dialogs.Open(msg.Dialog)
	}
	return nil
}

// focusTurn moves the focus to the turn if that is wanted.
func (m *model) focusTurn(wanted bool) {
	if wanted {
		m.focus = paneReader
	}
}

func (m *model) resize(width, height int) {
	m.width, m.height = width, height
	l := m.layout()
	m.timeline.SetSize(width, l.at[paneTimeline].h)
	m.locked.SetSize(width, height)
	m.dialogs.SetSize(width, height)
}

// press handles a key. Any key clears the notice.
func (m *model) press(pressed tea.KeyPressMsg) tea.Cmd {
	m.footer.Say("")
	m.watcher.Touch()
	m.warned = m.warned && pressed.String() == "ctrl+c"
	if m.locked.IsShown() {
		return m.locked.Update(pressed)
	}
	m.countHintKey(m.focus, m.width)
	if m.dialogs.IsOpen() && pressed.String() != "ctrl+c" {
		return m.dialogs.Update(pressed)
	}
	if m.archive.IsEmpty() {
		if c, ok := bound(m.keys.welcome, pressed.String()); ok && c.IsOffered() {
			return c.Do()
		}
	}
	keys := m.chord + pressed.String()
	switch c, waits := m.keyboard.press(m.focus, pressed.String()); {
	case waits:
		return m.wait()
	case c.Do != nil && c.IsOffered():
		cmd := c.Do()
		m.warned = m.warned && c.ID == "interrupt"
		return cmd
	}
	m.warned = false
	switch {
	case !m.focus.isTyped():
		m.footer.Say(m.elsewhere(keys))
	case pressed.Text != "":
		return m.insert(pressed)
	}
	return nil
}

// elsewhere says of a key without a meaning here where it has one.
func (m *model) elsewhere(keys string) string {
	says := keyLabel(keys) + " has no meaning"
	if where := m.keys.where(keys); keys == "esc" {
		says = "Nothing to go back to"
	} else if len(where) > 0 {
		last := len(where) - 1
		says = keyLabel(keys) + " works in " + strings.Join(where[:last], ", ")
		if last > 0 {
			says += " and "
		}
		says += where[last]
	} else if _, ok := m.keys.find(m.focus, keys); ok {
		says += " here"
	}
	return says + " (" + m.ui.Key("help") + " lists the keys)"
}

// tick redraws elapsed times and repeats while something is in progress.
func (m *model) tick() tea.Cmd {
	if m.waiting() == 0 && !m.jobs.IsBusy() {
		m.ticking = false
		return nil
	}
	return tick(m.ui.Ctx, m.pace.update)
}
