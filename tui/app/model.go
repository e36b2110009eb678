package app

import (
	"cmp"
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/tui/chat"
	"lens/tui/external"
	"lens/tui/jobs"
	"lens/tui/lock"
	"lens/tui/search"
	"lens/tui/state"
	"lens/tui/turn"
	"lens/tui/ui"
	"lens/tui/zoom"
)

// model is the explorer's state. Only the event loop of Bubble Tea touches it.
type model struct {
	*workspace

	ui    *ui.Context
	opts  Options
	pace  pace
	idler idler

	screen
	appearance
	keyboard
	pressed mousePress
	ticking bool     // elapsed times are redrawn
	recent  []string // commands that were chosen in the palette, the latest first
	warned  bool     // the last key was one that quits when it is pressed again

	locked  *lock.Screen
	hadPins bool // queries were pinned when the archive was locked
	watcher *lock.Watcher
	chat    *chat.Chat // drops itself what it knows of the archive, once that is saved
	jobs    *jobs.Jobs
}

// place is the state that back and forward restore.
type place struct {
	search.Search
	like   search.Similar
	view   zoom.View
	chosen uuid.UUID // the match under the cursor
	read   uuid.UUID // the open turn, if it is another one
	home   bool
}

func newModel(ctx context.Context, opts Options) *model {
	c := &ui.Context{Ctx: ctx, Now: time.Now, Zone: time.UTC, Explain: opts.Explain}
	m := &model{
		ui:         c,
		opts:       opts,
		pace:       *cmp.Or(opts.tests.pace, &defaultPace),
		screen:     screen{front: paneReader},
		appearance: newAppearance(c, opts.Settings, opts.Terminal.Environ),
		locked:     lock.New(c, opts.Lock.Vault),
		watcher:    lock.NewWatcher(c, opts.Lock),
		chat:       chat.New(c, opts.Chat, turn.Markdown),
		jobs:       jobs.New(c, jobs.Options{Archive: opts.Jobs, Folders: external.Folders{}}),
	}
	m.reset()
	if s, ok := m.keeper.Load(); ok {
		m.applySession(s, opts.Settings.Query == "")
	}
	return m
}

// reset makes an empty workspace, and binds the commands to it.
func (m *model) reset() {
	var look state.Look // nothing of the archive
	if m.workspace != nil {
		look = m.look()
	}
	m.workspace = m.newWorkspace()
	m.atHome = m.opts.Settings.Home && m.opts.Settings.Query == ""
	m.setLook(look)
	m.keyboard = keyboard{keys: m.keymap()}
	renamed, _ := m.keys.remap(m.opts.Settings.Keys) // Run has checked it
	m.footer.Say(renamed)
	m.ui.Editing, m.ui.KeyOf = m.keys.editing(), m.keys.key
	m.dialogs.SetSize(m.width, m.height)
	if query := m.opts.Settings.Query; query != "" { // until the archive is open: it may be locked at the start
		m.bar.Update(tea.PasteMsg{Content: query})
	}
}

// Init requests the terminal's background and opens the archive, both after the first frame.
func (m *model) Init() tea.Cmd {
	return tea.Batch(tea.RequestBackgroundColor, m.settle())
}
