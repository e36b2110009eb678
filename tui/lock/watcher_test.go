package lock_test

import (
	"context"
	"slices"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"lens/tui/lock"
	"lens/tui/theme"
	"lens/tui/ui/uitest"
)

type anyVault struct{}

func (anyVault) Unlock(context.Context, string) error { return nil }
func (anyVault) Lock() error                          { return nil }

// commands returns the commands of a batch.
func commands(cmd tea.Cmd) []tea.Cmd {
	if cmd == nil {
		return nil
	}
	if batch, ok := cmd().(tea.BatchMsg); ok {
		return batch
	}
	return []tea.Cmd{cmd}
}

func TestGuard_PostsIdleAfterAWhile(t *testing.T) {
	c := uitest.Context(theme.Dark)
	now := uitest.Noon
	c.Now = func() time.Time { return now }
	g := lock.NewWatcher(c, lock.Options{Vault: anyVault{}, After: time.Nanosecond})
	g.Touch()
	wait := g.Requests()
	if wait == nil || g.Requests() != nil {
		t.Fatal("it does not wait exactly once")
	}
	again := g.Update(wait())
	if again == nil || len(c.Posted()) > 0 {
		t.Fatal("it is idle although a key was pressed just now")
	}
	now = now.Add(time.Second)
	if g.Update(again()); !slices.Equal(c.Posted(), []any{lock.Idle{}}) {
		t.Error("it is not idle after a while")
	}
	if g.Requests() == nil {
		t.Error("it does not wait again")
	}
}

func TestGuard_PostsLockedByAnyProcess(t *testing.T) {
	c, locked := uitest.Context(theme.Dark), make(chan struct{}, 2)
	g := lock.NewWatcher(c, lock.Options{Vault: anyVault{}, Elsewhere: locked})
	for range 2 {
		listen := g.Requests()
		if listen == nil || g.Requests() != nil {
			t.Fatal("it does not listen exactly once")
		}
		locked <- struct{}{}
		if g.Update(listen()); !slices.Equal(c.Posted(), []any{lock.Locked{}}) {
			t.Error("the lock is not posted")
		}
	}
}

func TestGuard_EndsWithTheExplorer(t *testing.T) {
	c := uitest.Context(theme.Dark)
	ctx, end := context.WithCancel(t.Context())
	c.Ctx = ctx
	g := lock.NewWatcher(c, lock.Options{Vault: anyVault{}, After: time.Hour, Elsewhere: make(chan struct{})})
	all := commands(g.Requests())
	end()
	for _, cmd := range all {
		if msg := cmd(); msg != nil {
			t.Errorf("at the end, %T arrives", msg)
		}
	}
	if len(all) != 2 {
		t.Errorf("%d commands wait", len(all))
	}
}

func TestGuard_NeedsAVault(t *testing.T) {
	g := lock.NewWatcher(uitest.Context(theme.Dark), lock.Options{After: time.Nanosecond, Elsewhere: make(chan struct{})})
	if g.Requests() != nil {
		t.Error("it watches an archive without a lock")
	}
}
