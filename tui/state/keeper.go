package state

import (
	"context"
	"errors"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"lens/tui/async"
	"lens/tui/ui"
)

// Keeper loads the session, and saves it some time after a change, so that even a kill loses little. K changes whenever
// the session does.
type Keeper[K comparable] struct {
	ui       *ui.Context
	sessions Sessions // nil: nothing is kept
	pause    time.Duration

	kept     K
	isKnown  bool               // kept is the restored state, or a later one
	reported bool               // a failure was
	loading  async.Latest[bool] // after unlocking
	saving   async.Latest[K]
	writing  sync.Mutex // of two saves the newer is the last
}

// NewKeeper returns a keeper that saves after a pause. With sessions nil it keeps nothing.
func NewKeeper[K comparable](c *ui.Context, sessions Sessions, pause time.Duration) *Keeper[K] {
	return &Keeper[K]{ui: c, sessions: sessions, pause: pause}
}

// Loaded is posted when the session was loaded again.
type Loaded struct{ Session Session }

// Keeps reports whether sessions are saved: none while one is about to be loaded, which must not be overwritten.
func (k *Keeper[K]) Keeps() bool { return k.sessions != nil && !k.loading.IsBusy() }

// HasBegun reports whether changes are saved from now on.
func (k *Keeper[K]) HasBegun() bool { return k.isKnown }

// Load returns the session that was saved last, before the first frame; false for none.
func (k *Keeper[K]) Load() (s Session, ok bool) {
	if k.sessions == nil {
		return s, false
	}
	s, ok = k.sessions.Load()
	s.migrate()
	return s, ok
}

// Saving returns what saves a session at once, without an error where nothing can be written. The save that waits for
// its pause is older, and is given up now.
func (k *Keeper[K]) Saving(s Session) func() error {
	k.saving.Stop()
	return func() error {
		k.writing.Lock()
		defer k.writing.Unlock()
		if err := k.sessions.Save(s); !errors.Is(err, ErrReadOnly) {
			return err
		}
		return nil
	}
}

// saveLater saves a session after the pause, unless ctx ends before its turn: it was superseded.
func (k *Keeper[K]) saveLater(ctx context.Context, s Session) (saved bool, err error) {
	if !async.Wait(ctx, k.pause) {
		return false, nil
	}
	k.writing.Lock()
	defer k.writing.Unlock()
	if ctx.Err() != nil {
		return false, nil
	}
	return true, k.sessions.Save(s)
}

// loadedMsg delivers the saved session, nil for none.
type loadedMsg struct {
	number  int
	session *Session
}

// savedMsg reports the result of saving.
type savedMsg struct {
	number int
	err    error
}

// Reload loads the session again, and posts it as Loaded.
func (k *Keeper[K]) Reload() tea.Cmd {
	if k.sessions == nil {
		return nil
	}
	k.loading.Forget()
	_, number, _ := k.loading.Ask(k.ui.Ctx, true, k.ui.Now())
	return k.ui.Tasks.Command(func() tea.Msg {
		if s, ok := k.Load(); ok {
			return loadedMsg{number, &s}
		}
		return loadedMsg{number: number}
	})
}

// Requests saves what changes, once it has been settled at first.
func (k *Keeper[K]) Requests(key K, settled bool, session func() Session) tea.Cmd {
	if !k.Keeps() || !k.isKnown && !settled {
		return nil
	}
	if !k.isKnown {
		k.kept, k.isKnown = key, true
	}
	if key == k.kept {
		return nil
	}
	k.kept = key
	ctx, number, ok := k.saving.Ask(k.ui.Ctx, key, k.ui.Now())
	if !ok {
		return nil
	}
	s := session()
	return k.ui.Tasks.Command(func() tea.Msg {
		saved, err := k.saveLater(ctx, s)
		if !saved {
			return nil
		}
		return savedMsg{number, err}
	})
}

// Update takes the results. The first failure to save is reported.
func (k *Keeper[K]) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case loadedMsg:
		if k.loading.Accept(msg.number) && msg.session != nil {
			k.ui.Post(Loaded{*msg.session})
		}
	case savedMsg:
		if k.saving.Accept(msg.number) && msg.err != nil && !k.reported {
			k.reported = true
			k.report(msg.err)
		}
	}
	return nil
}

func (k *Keeper[K]) report(err error) {
	if errors.Is(err, ErrReadOnly) {
		k.ui.Post(ui.Notify("Read-only folder: history and bookmarks are not kept"))
		return
	}
	k.ui.Post(ui.Failed{Doing: "saving the session", Said: "Couldn't save the session", Err: err})
}
