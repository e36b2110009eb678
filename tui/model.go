package tui

import (
	"cmp"
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/google/uuid"

	"lens/tui/chat"
	"lens/tui/external"
	"lens/tui/jobs"
	"lens/tui/lock"
	"lens/tui/search"
	"lens/tui/state"
	"lens/tui/theme"
	"lens/tui/turn"
	"lens/tui/ui"
	"lens/tui/zoom"
)

// model is the explorer's state. Only the event loop of Bubble Tea touches it.
type model struct {
	*workspace

	ui   *ui.Context
	opts Options
	pace pace

	screen

	profile colorprofile.Profile
	themed  bool // chosen by the user, so the terminal's background does not decide
	keys    keymap
	noMouse bool // off: the terminal handles the mouse
	local   bool // times are shown in local time
	pressed mousePress
	chord   string // the keys pressed so far
	heeded  int    // key presses since the hint about meaning appeared
	ticking bool

	locked *lock.Screen
	chat   *chat.Chat // drops itself what it knows of the archive, once that is saved
	guard  guard
	jobs   *jobs.Jobs
}

// place is the state that back and forward restore.
type place struct {
	search.Sought
	like   search.Exemplar
	view   zoom.View
	chosen uuid.UUID // the match under the cursor
	read   uuid.UUID // the open turn, if it is another one
}

func newModel(ctx context.Context, opts Options) *model {
	m := &model{
		ui:      &ui.Context{Ctx: ctx, Now: time.Now, Zone: time.UTC, Explain: opts.Explain},
		opts:    opts,
		pace:    *cmp.Or(opts.tests.pace, &defaultPace),
		profile: colorprofile.TrueColor,
		screen:  screen{front: paneTurn},
	}
	m.chat = chat.New(m.ui, opts.Chat, turn.Markdown)
	m.jobs = jobs.New(m.ui, jobs.Options{Archive: opts.Jobs, Folders: external.Folders{}})
	m.unpack()
	m.locked = lock.New(m.ui, opts.Lock.Vault)
	name, chosen := themeFor(opts.Settings.Theme, opts.Terminal.Environ)
	m.themed = chosen
	m.setTheme(name)
	if s, ok := m.keeper.Load(); ok {
		m.dress(s, opts.Settings.Query == "")
	}
	if m.opts.Settings.Query = ""; opts.Settings.Query != "" {
		m.bar.Update(tea.PasteMsg{Content: opts.Settings.Query})
	}
	return m
}

// unpack makes an empty workspace, and binds the commands to it.
func (m *model) unpack() {
	var look state.Look // nothing of the archive
	if m.workspace != nil {
		look = m.look()
	}
	m.workspace = m.newWorkspace()
	m.setLook(look)
	m.keys = binder{m}.keymap()
	_ = m.keys.remap(m.opts.Settings.Keys) // Run has checked it
	m.ui.Editing, m.ui.KeyOf = m.keys.editing(), m.keys.key
	m.dialogs.SetSize(m.width, m.height)
}

// themeFor returns the initial theme, and whether it is fixed regardless of the terminal's background.
func themeFor(wanted string, env tea.EnvMsg) (name theme.Name, chosen bool) {
	if name, ok := theme.Parse(wanted); ok {
		return name, true
	}
	locale := cmp.Or(env.Getenv("LC_ALL"), env.Getenv("LC_CTYPE"), env.Getenv("LANG"))
	switch {
	case env.Getenv("TERM") == "linux", locale == "C", locale == "POSIX":
		return theme.ASCII, true
	case env.Getenv("NO_COLOR") != "":
		return theme.Mono, true
	}
	return theme.Dark, false
}

func (m *model) setTheme(name theme.Name) { m.ui.Theme = theme.New(name, m.profile) }

// Init requests the terminal's background and opens the archive, both after the first frame.
func (m *model) Init() tea.Cmd {
	return tea.Batch(tea.RequestBackgroundColor, m.chase())
}
