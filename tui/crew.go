package tui

import (
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
)

// crew counts running commands, so that the archive is not closed under them.
type crew struct {
	mu      sync.Mutex
	working int
	closed  bool
	idle    chan struct{} // closed when the last command is done after dismiss
}

// job wraps work in a command that does nothing after dismiss.
func (c *crew) job(work func() tea.Msg) tea.Cmd {
	return func() tea.Msg {
		if !c.begin() {
			return nil
		}
		defer c.end()
		return work()
	}
}

func (c *crew) begin() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		c.working++
	}
	return !c.closed
}

func (c *crew) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.working--
	if c.closed && c.working == 0 {
		close(c.idle)
	}
}

// dismiss stops new commands from starting and waits at most patience for the running ones.
func (c *crew) dismiss(patience time.Duration) {
	c.mu.Lock()
	c.closed, c.idle = true, make(chan struct{})
	if c.working == 0 {
		close(c.idle)
	}
	c.mu.Unlock()
	select {
	case <-c.idle:
	case <-time.After(patience):
	}
}
