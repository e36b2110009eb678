package lock

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"lens/tui/async"
	"lens/tui/ui"
)

// Options says how an archive is locked. The zero value is for one that is not encrypted.
type Options struct {
	Vault     Vault           // locks and unlocks the archive
	After     time.Duration   // the idle time until it is locked; 0: never
	Elsewhere <-chan struct{} // receives a value whenever the archive was locked, by any process; may be nil
}

// Messages that a Watcher posts.
type (
	// Idle says that no key was pressed for a while.
	Idle struct{}
	// Locked says that the archive was locked, here or by another process.
	Locked struct{}
)

// Watcher tells when to lock.
type Watcher struct {
	ui      *ui.Context
	opts    Options
	touched time.Time // the last key press
	watched bool      // a command waits for idle time
	listens bool      // a command waits for a lock by another process
}

// NewWatcher returns a watcher. Without a vault it does nothing.
func NewWatcher(c *ui.Context, opts Options) *Watcher { return &Watcher{ui: c, opts: opts} }

// Touch says that somebody is there.
func (g *Watcher) Touch() { g.touched = g.ui.Now() }

// idleMsg triggers a check of how long no key was pressed.
type idleMsg struct{}

// elsewhereMsg reports a lock.
type elsewhereMsg struct{}

// Requests waits for idle time, and for a lock by another process.
func (g *Watcher) Requests() tea.Cmd {
	if g.opts.Vault == nil {
		return nil
	}
	var cmds []tea.Cmd
	if g.opts.After > 0 && !g.watched {
		g.watched = true
		cmds = append(cmds, g.wait(g.opts.After))
	}
	if g.opts.Elsewhere != nil && !g.listens {
		g.listens = true
		cmds = append(cmds, g.listen())
	}
	return tea.Batch(cmds...)
}

func (g *Watcher) wait(idle time.Duration) tea.Cmd {
	ctx := g.ui.Ctx
	return func() tea.Msg {
		if !async.Wait(ctx, idle) {
			return nil
		}
		return idleMsg{}
	}
}

func (g *Watcher) listen() tea.Cmd {
	ctx, locked := g.ui.Ctx, g.opts.Elsewhere
	return func() tea.Msg {
		select {
		case <-ctx.Done():
			return nil
		case <-locked:
			return elsewhereMsg{}
		}
	}
}

// Update takes the end of a wait.
func (g *Watcher) Update(msg tea.Msg) tea.Cmd {
	switch msg.(type) {
	case idleMsg:
		if left := g.opts.After - g.ui.Now().Sub(g.touched); left > 0 {
			return g.wait(left)
		}
		g.watched = false
		g.ui.Post(Idle{})
	case elsewhereMsg:
		g.listens = false
		g.ui.Post(Locked{})
	}
	return nil
}
