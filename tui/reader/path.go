package reader

import (
	"fmt"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/retrieval"
	"lens/tui/async"
	"lens/tui/ui"
)

// path is the way through the conversation that the reader is on.
type path struct {
	known  *retrieval.Path // nil: not known yet
	branch bool            // it was asked for by a turn off the active path
	again  bool            // it is asked for, although it has the turn
	asking async.Latest[uuid.UUID]
}

// pathMsg delivers a path.
type pathMsg struct {
	number int
	branch bool
	path   *retrieval.Path
	err    error
}

// turns returns the turns of the path, none if it is not known.
func (p *path) turns() []retrieval.PathTurn {
	if p.known == nil {
		return nil
	}
	return p.known.Turns
}

// at returns the place of a turn on the path, -1 if that is not known. t may be nil.
func (p *path) at(t *retrieval.Turn) int {
	if t == nil || p.known == nil || p.known.Conversation != t.Conversation {
		return -1
	}
	return p.known.At(t.TurnID)
}

// neighbor returns the turn that comes by places later, or earlier if by is negative; nil for none. Until the path is
// known, it is the next or the previous one on the active path.
func (p *path) neighbor(t *retrieval.Turn, by int) *uuid.UUID {
	at := p.at(t)
	switch {
	case at < 0 && by < 0:
		return t.Prev
	case at < 0:
		return t.Next
	case at+by < 0 || at+by >= len(p.known.Turns):
		return nil
	}
	return &p.known.Turns[at+by].TurnID
}

// position says which turn of the conversation a turn is. Until the path is known, of a turn off the active one only
// that it is.
func (p *path) position(t *retrieval.Turn) string {
	switch at := p.at(t); {
	case at >= 0:
		return fmt.Sprintf("turn %d of %d", at+1, len(p.known.Turns))
	case t.OnPath && t.Turns > t.Position:
		return fmt.Sprintf("turn %d of %d", t.Position+1, t.Turns)
	}
	return fmt.Sprintf("turn %d", t.Position+1)
}

// leave asks for the path again if it is a branch: one may come back to the active path.
func (p *path) leave() { p.again = p.again || p.branch }

// reload asks for the path again. What is known stays meanwhile.
func (p *path) reload() {
	p.again = true
	p.asking.Forget()
}

// request asks for the path of a turn, unless it is on the one that is known.
func (p *path) request(c *ui.Context, source Source, t *retrieval.Turn) tea.Cmd {
	if p.at(t) >= 0 && !p.again {
		return nil
	}
	id, branch := t.TurnID, !t.OnPath
	ctx, number, ok := p.asking.Ask(c.Ctx, id, c.Now())
	if !ok {
		return nil
	}
	p.again = false
	return c.Tasks.Command(func() tea.Msg {
		path, err := source.Path(ctx, id)
		if ctx.Err() != nil {
			return nil
		}
		return pathMsg{number, branch, path, err}
	})
}

// handle keeps the path. Without one the reader only lacks its rail; reading the turn reports the errors that matter.
func (p *path) handle(msg pathMsg) {
	if !p.asking.Accept(msg.number) || msg.err != nil {
		return
	}
	for i := range msg.path.Turns {
		msg.path.Turns[i].Opening = ui.Line(msg.path.Turns[i].Opening)
	}
	p.known, p.branch = msg.path, msg.branch
}
