package ingest

import (
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

// leaveOut takes forgotten conversations and turns out of b, and returns how many.
func (f *forgotten) leaveOut(b *batch) (n int) {
	if len(f.Hashes) == 0 {
		return 0
	}
	for i := range b.entries {
		if b.entries[i].parsed != nil {
			b.entries[i].forgotten = f.leaveOutOf(&b.entries[i])
			n += b.entries[i].forgotten
		}
	}
	return n
}

func (f *forgotten) leaveOutOf(e *entry) int {
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
			openers(p.Messages, f.alsoForget)
		}
		e.skip, e.parsed = skipForgotten(p), nil
		return 1
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
		return lost
	}
	return 0
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
