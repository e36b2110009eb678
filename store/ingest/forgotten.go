package ingest

import (
	"context"

	"github.com/google/uuid"

	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/input"
)

// forgotten leaves forgotten conversations and turns out of batches; or, with restore, brings them back.
type forgotten struct {
	store.Forgotten
	restore bool
	changed bool               // by restoring, or by more turns of forgotten conversations
	fresh   map[uuid.UUID]bool // those turns
	openers map[uuid.UUID]bool // the messages that open them
}

// leaveOut takes forgotten conversations and turns out of b, and returns how many. st has the archive as it is now.
func (f *forgotten) leaveOut(ctx context.Context, st ownersReader, b *batch) (n int, err error) {
	if len(f.Hashes) == 0 {
		return 0, nil
	}
	for i := range b.entries {
		if b.entries[i].parsed == nil {
			continue
		}
		if b.entries[i].forgotten, err = f.leaveOutOf(ctx, st, &b.entries[i]); err != nil {
			return n, err
		}
		n += b.entries[i].forgotten
	}
	return n, nil
}

func (f *forgotten) leaveOutOf(ctx context.Context, st ownersReader, e *entry) (int, error) {
	p := e.parsed
	gone := map[uuid.UUID]bool{}
	all := f.is(p.ID)
	if session, ok := chat.StartedBy(&p.Conversation); ok {
		all = f.is(session) || all
	}
	if !p.Source.Chunked() {
		gone = f.turnsOf(e)
	}
	switch {
	case all:
		if !p.Source.Chunked() {
			others, err := keptByOthers(ctx, st, &p.Conversation)
			if err != nil {
				return 0, err
			}
			copies := chat.Copies(&p.Conversation, setOf(others))
			openers(p.Messages, func(opener uuid.UUID) {
				if !copies[store.TurnID(opener)] {
					f.alsoForget(opener)
				}
			})
		}
		e.skip, e.parsed = skipForgotten(p), nil
		return 1, nil
	case len(gone) > 0:
		before := p.Conversation
		e.terms, e.derived = nil, nil
		p.LeaveOut(gone)
		if p.Derived != nil {
			p.Derived = input.WithDerived(p.Source).Derive(&p.Conversation)
		}
		lost := lostTurns(&before, &p.Conversation, gone)
		if len(p.Turns) == 0 && lost > 0 {
			e.skip, e.parsed = skipForgotten(p), nil
		}
		return lost, nil
	}
	return 0, nil
}

// lostTurns returns how many turns a version lost, those included that lost their answer.
func lostTurns(before, after *store.Conversation, gone map[uuid.UUID]bool) (n int) {
	left := make(map[uuid.UUID]bool, len(after.Turns))
	for i := range after.Turns {
		left[after.Turns[i].ID] = true
	}
	answers := chat.Answers(before)
	for i := range before.Turns {
		id := before.Turns[i].ID
		a, answered := answers[id]
		n += boolToInt(!left[id] || answered && gone[a.ID()])
	}
	return n
}

// alsoForget forgets the turn that a message opens in a version of a forgotten conversation.
func (f *forgotten) alsoForget(opener uuid.UUID) {
	if turn := store.TurnID(opener); !f.Has(turn) {
		f.Add(turn)
		f.fresh[turn], f.openers[opener], f.changed = true, true, true
	}
}

// turnsOf returns the turns and answers that were forgotten, also those that only another version has.
func (f *forgotten) turnsOf(e *entry) map[uuid.UUID]bool {
	gone := map[uuid.UUID]bool{}
	turnsAmong(&e.parsed.Conversation, f.is, gone)
	return gone
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
