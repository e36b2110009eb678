package ingest

import (
	"context"

	"github.com/google/uuid"

	"lens/internal/errs"
	"lens/store"
	"lens/store/ingest/chat"
)

// forgotten leaves forgotten conversations and turns out of batches; or, with restore, brings them back.
type forgotten struct {
	store.Forgotten
	restore bool
	changed bool // by restoring
}

// leaveOut takes forgotten conversations and turns out of b, and returns how many. st is the archive.
func (f *forgotten) leaveOut(ctx context.Context, st store.Reader, b *batch) (n int, err error) {
	if len(f.Hashes) == 0 {
		return 0, nil
	}
	for i := range b.entries {
		if b.entries[i].parsed == nil {
			continue
		}
		left, err := f.leaveOutOf(ctx, st, &b.entries[i])
		if err != nil {
			return n, err
		}
		n += left
	}
	return n, nil
}

func (f *forgotten) leaveOutOf(ctx context.Context, st store.Reader, e *entry) (int, error) {
	p := e.parsed
	if f.is(p.ID) {
		e.skip, e.parsed = skipForgotten(p), nil
		return 1, nil
	}
	var gone []chat.LeftOut
	for i := range p.Turns {
		switch id, err := f.forgottenAs(ctx, st, p.ID, &p.Turns[i]); {
		case err != nil:
			return 0, err
		case id != uuid.Nil:
			gone = append(gone, chat.LeftOut{Index: i, ID: id})
		}
	}
	switch len(gone) {
	case 0:
	case len(p.Turns):
		e.skip, e.parsed = skipForgotten(p), nil
	default:
		e.leaveOutTurns(gone)
	}
	return len(gone), nil
}

// forgottenAs returns the id under which a turn of a conversation was forgotten, uuid.Nil if it was not. It has an id
// of its own where another conversation has a message with the same id: see separateSharedIDs.
func (f *forgotten) forgottenAs(
	ctx context.Context, st store.Reader, conversation uuid.UUID, t *store.Turn,
) (uuid.UUID, error) {
	own := store.TurnID(chat.OwnID(conversation, t.UserMessage))
	if f.is(own) {
		return own, nil
	}
	if !f.Has(t.ID) {
		return uuid.Nil, nil
	}
	switch _, err := st.Turns(ctx, []uuid.UUID{own}); {
	case err == nil: // the other conversation's turn was forgotten
		return uuid.Nil, nil
	case errs.CodeOf(err) != errs.NotFound:
		return uuid.Nil, err
	case f.is(t.ID):
		return t.ID, nil
	}
	return uuid.Nil, nil
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
	return &chat.Skip{Reason: chat.Forgotten, Nodes: p.Count.Nodes}
}

// leaveOutTurns takes turns, by ascending index, out of a conversation.
func (e *entry) leaveOutTurns(gone []chat.LeftOut) {
	if e.terms != nil {
		var terms [][]store.TermCount
		next := 0
		for i := range e.terms {
			if next < len(gone) && gone[next].Index == i {
				next++
				continue
			}
			terms = append(terms, e.terms[i])
		}
		e.terms = terms
	}
	e.parsed.LeaveOut(gone)
}
