package app

import (
	"context"
	"runtime/debug"
	"time"

	tea "charm.land/bubbletea/v2"

	"lens/tui/async"
)

// idler returns memory to the system once nothing has happened for a while after somebody did something: opening an
// archive, loading a model and searching take more for a moment than stays in use, and Go keeps that for minutes. What
// comes by itself, such as a check of the archive every few seconds, only makes it wait longer.
type idler struct {
	active time.Time // when something has happened last
	waits  bool      // for the pause to be over
}

// idleMsg says that the pause may be over.
type idleMsg struct{}

// after returns what follows from a message. A pause of 0 never ends.
func (i *idler) after(ctx context.Context, msg tea.Msg, now time.Time, pause time.Duration) tea.Cmd {
	if pause == 0 {
		return nil
	}
	if _, over := msg.(idleMsg); !over {
		if i.active = now; i.waits || !isDone(msg) {
			return nil
		}
		i.waits = true
		return idle(ctx, pause)
	}
	if left := pause - now.Sub(i.active); left > 0 {
		return idle(ctx, left)
	}
	i.waits = false
	return func() tea.Msg {
		debug.FreeOSMemory()
		return nil
	}
}

// isDone reports whether a message says that somebody opened the explorer or did something in it.
func isDone(msg tea.Msg) bool {
	switch msg.(type) {
	case tea.WindowSizeMsg, tea.KeyPressMsg, tea.MouseMsg, tea.PasteMsg:
		return true
	}
	return false
}

func idle(ctx context.Context, pause time.Duration) tea.Cmd {
	return func() tea.Msg {
		if !async.Wait(ctx, pause) {
			return nil
		}
		return idleMsg{}
	}
}
