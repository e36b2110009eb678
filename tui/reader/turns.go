package reader

import (
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/internal/lru"
	"lens/retrieval"
	"lens/tui/async"
	"lens/tui/turn"
	"lens/tui/ui"
)

// turns are the turns that were read lately.
type turns struct {
	known  lru.Cache[uuid.UUID, *retrieval.Turn]
	asking async.Latest[uuid.UUID]
}

// readMsg delivers a turn.
type readMsg struct {
	number int
	turn   *retrieval.Turn
	err    error
}

// request reads a turn after a pause, nil if that was asked for already.
func (t *turns) request(c *ui.Context, source Source, id uuid.UUID, pause time.Duration) tea.Cmd {
	ctx, number, ok := t.asking.Ask(c.Ctx, id, c.Now())
	if !ok {
		return nil
	}
	return c.Tasks.Command(func() tea.Msg {
		if !async.Wait(ctx, pause) {
			return nil
		}
		read, err := source.Turn(ctx, id.String())
		if ctx.Err() != nil {
			return nil
		}
		return readMsg{number, read, err}
	})
}

// handle keeps a turn that was read, or returns why it was not.
func (t *turns) handle(msg readMsg) error {
	if !t.asking.Accept(msg.number) {
		return nil
	}
	if msg.err == nil {
		turn.Clean(msg.turn)
		t.known.Put(msg.turn.TurnID, msg.turn)
	}
	return msg.err
}
