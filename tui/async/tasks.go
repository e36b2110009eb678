package async

import (
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Tasks counts running commands, so that the archive is not closed under them.
type Tasks struct {
	mu      sync.Mutex
	working int
	closed  bool
	idle    chan struct{} // closed when the last command is done after End
}

// Command wraps work in a command that does nothing after End.
func (t *Tasks) Command(work func() tea.Msg) tea.Cmd {
	return func() tea.Msg {
		if !t.begin() {
			return nil
		}
		defer t.end()
		return work()
	}
}

func (t *Tasks) begin() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.closed {
		t.working++
	}
	return !t.closed
}

func (t *Tasks) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.working--
	if t.closed && t.working == 0 {
		close(t.idle)
	}
}

// End stops new commands from starting and waits at most patience for the running ones.
func (t *Tasks) End(patience time.Duration) {
	t.mu.Lock()
	t.closed, t.idle = true, make(chan struct{})
	if t.working == 0 {
		close(t.idle)
	}
	t.mu.Unlock()
	select {
	case <-t.idle:
	case <-time.After(patience):
	}
}
