package ingest

import (
	"github.com/google/uuid"

	"lens/store"
	"lens/store/ingest/chat"
)

// forgotten leaves forgotten conversations and turns out of batches; or, with restore, brings them back.
type forgotten struct {
	store.Forgotten
	restore bool
	changed bool // by restoring
}

// leaveOut takes forgotten conversations and turns out of b, and returns how many.
func (f *forgotten) leaveOut(b *batch) (n int) {
	if len(f.Hashes) == 0 {
		return 0
	}
	for i := range b.entries {
		if b.entries[i].parsed != nil {
			n += f.leaveOutOf(&b.entries[i])
		}
	}
	return n
}

func (f *forgotten) leaveOutOf(e *entry) int {
	p := e.parsed
	if f.is(p.ID) {
		e.skip, e.parsed = skipForgotten(p), nil
		return 1
	}
	var gone []int
	for i := range p.Turns {
		t := &p.Turns[i]
		// The second id is the one that the turn has when another conversation has a message with the same id.
		if f.is(t.ID) || f.is(store.TurnID(chat.OwnID(p.ID, t.UserMessage))) {
			gone = append(gone, i)
		}
	}
	switch len(gone) {
	case 0:
		return 0
	case len(p.Turns):
		e.skip, e.parsed = skipForgotten(p), nil
	default:
		e.leaveOutTurns(gone)
	}
	return len(gone)
}

// is reports whether a conversation or turn is to be left out.
func (f *forgotten) is(id uuid.UUID) bool {
	if f.restore {
		f.changed = f.Remove(id) || f.changed
		return false
	}
	return f.Has(id)
}

func skipForgotten(p *chat.Parsed) *chat.Skip {
	return &chat.Skip{Reason: "forgotten", Nodes: p.Count.Nodes}
}

// leaveOutTurns takes turns, by ascending index, out of a conversation.
func (e *entry) leaveOutTurns(gone []int) {
	if e.terms != nil {
		var terms [][]store.TermCount
		next := 0
		for i := range e.terms {
			if next < len(gone) && gone[next] == i {
				next++
				continue
			}
			terms = append(terms, e.terms[i])
		}
		e.terms = terms
	}
	e.parsed.LeaveOut(gone)
}
