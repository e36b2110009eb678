package tui

import (
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
)

// crew counts the commands that are at work, so that nobody closes an archive under them.
type crew struct {
	mu      sync.Mutex
	working int
	closed  bool
	idle    chan struct{} // closed when the last one of a dismissed crew is done
}

// job makes a command of work. After the crew was dismissed it does nothing.
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

// dismiss lets no more commands begin and waits for those at work, but no longer than patience.
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
