package app

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"lens/tui/async"
)

// pace has the delays. Tests shorten them.
type pace struct {
	typing time.Duration // before a search, for the next letter
	aside  time.Duration // before a search, for the frame that shows the key press
	glance time.Duration // before reading a turn, while the cursor moves through the list
	which  time.Duration // before the keys that complete a chord are listed
	shown  time.Duration // before the status shows that a request takes long
	update time.Duration // between updates of that status
	limit  time.Duration // between checks of what limits the archive

	keeping time.Duration // before saving the session, for more changes
	idle    time.Duration // without a message, before memory is returned to the system; 0: it is not
}

var defaultPace = pace{
	typing:  120 * time.Millisecond,
	aside:   15 * time.Millisecond,
	glance:  40 * time.Millisecond,
	which:   300 * time.Millisecond,
	shown:   150 * time.Millisecond,
	update:  500 * time.Millisecond,
	limit:   5 * time.Second,
	keeping: time.Second,
	idle:    5 * time.Second,
}

// tickMsg redraws elapsed times while something is in progress.
type tickMsg struct{}

// tick returns a tick after a delay.
func tick(ctx context.Context, after time.Duration) tea.Cmd {
	return func() tea.Msg {
		if !async.Wait(ctx, after) {
			return nil
		}
		return tickMsg{}
	}
}
