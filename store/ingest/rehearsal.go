package ingest

import (
	"context"

	"github.com/google/uuid"

	"lens/store"
	"lens/store/ingest/chat"
)

// rehearsal is the dry run: it counts what an import would change, by reads alone, so that it neither waits for a writer nor
// needs the right to write. What the run itself would have written by now counts as written.
//
// Whether a message's id belongs to another conversation makes no difference here: it would be new under either id.
type rehearsal struct {
	known   known
	written map[uuid.UUID]memo
	read    read
}

// memo is a past in few bytes: a rehearsal remembers one of each conversation that would be written.
type memo struct {
	state    store.ConversationState
	messages []memoMessage
	turns    []uuid.UUID
}

type memoMessage struct {
	id   uuid.UUID
	hash store.Hash
}

func newRehearsal(k known) *rehearsal {
	return &rehearsal{known: k, written: map[uuid.UUID]memo{}, read: read{}}
}

// transact implements sink.
func (r *rehearsal) transact(ctx context.Context, fn func(write) error) error {
	return fn(func(b *batch) (outcome, error) { return r.write(ctx, b) })
}

func (r *rehearsal) write(ctx context.Context, b *batch) (outcome, error) {
	var done outcome
	pasts, err := r.pasts(ctx, b)
	if err != nil {
		return done, err
	}
	for _, e := range b.entries {
		if e.parsed == nil {
			continue
		}
		if stored, known := pasts[e.parsed.ID]; known {
			r.meet(e.parsed, stored, &done)
		} else {
			done.add(e.parsed)
			r.note(e.parsed, past{})
		}
	}
	return done, nil
}

// meet counts a conversation of which another version is stored, or would be. One that yields needs no remembering: met again, it
// would yield again.
func (r *rehearsal) meet(p *chat.Parsed, stored past, done *outcome) {
	if stored.compare(p, r.read) == replace {
		settle(p, stored.owners(p.ID), stored)
		stored.succeed(p)
		done.update(p, stored)
		r.note(p, stored)
		return
	}
	done.leave(p)
	if p.Hash == stored.state.Hash {
		r.read.add(p.ID)
	}
}

// note remembers p as written over stored.
func (r *rehearsal) note(p *chat.Parsed, stored past) {
	r.read.add(p.ID)
	r.written[p.ID] = remember(p, stored)
}

// owners says that a conversation owns the messages that it has.
func (a past) owners(conversation uuid.UUID) map[uuid.UUID]uuid.UUID {
	owners := make(map[uuid.UUID]uuid.UUID, len(a.messages))
	for id := range a.messages {
		owners[id] = conversation
	}
	return owners
}

// remember returns what would be stored of p after it was written over stored.
func remember(p *chat.Parsed, stored past) memo {
	m := memo{
		state:    store.ConversationState{Hash: p.Hash, Updated: p.Updated},
		messages: make([]memoMessage, 0, len(p.Messages)), turns: make([]uuid.UUID, 0, len(p.Turns)),
	}
	present := make(map[uuid.UUID]bool, len(p.Messages)+len(p.Turns))
	for i := range p.Messages {
		m.messages = append(m.messages, memoMessage{p.Messages[i].ID, p.Messages[i].Hash})
		present[p.Messages[i].ID] = true
	}
	for i := range p.Turns {
		m.turns = append(m.turns, p.Turns[i].ID)
		present[p.Turns[i].ID] = true
	}
	for id := range stored.messages {
		if !present[id] {
			m.messages = append(m.messages, memoMessage{id: id})
		}
	}
	for id := range stored.turns {
		if !present[id] {
			m.turns = append(m.turns, id)
		}
	}
	return m
}

func (m memo) past() past {
	a := newPast(m.state)
	for _, message := range m.messages {
		a.messages[message.id] = message.hash
	}
	for _, id := range m.turns {
		a.turns[id] = store.TurnState{}
	}
	return a
}

// pasts returns what pastsOf would, had everything before b been written.
func (r *rehearsal) pasts(ctx context.Context, b *batch) (map[uuid.UUID]past, error) {
	stored, err := r.known.conversations(ctx, b)
	if err != nil {
		return nil, err
	}
	pasts, contested := make(map[uuid.UUID]past, len(stored)), map[uuid.UUID]bool{}
	for i := range stored {
		pasts[stored[i].ID] = newPast(store.ConversationState{Hash: stored[i].Hash, Updated: stored[i].Updated, Superseded: stored[i].Superseded})
	}
	for _, e := range b.entries {
		if e.parsed == nil {
			continue
		}
		if m, written := r.written[e.parsed.ID]; written {
			pasts[e.parsed.ID] = m.past()
		} else if a, known := pasts[e.parsed.ID]; known && mayReplace(e.parsed, a.state) {
			contested[e.parsed.ID] = true
		}
	}
	return pasts, r.fill(ctx, pasts, contested)
}

// fill reads the messages and turns of the contested conversations.
func (r *rehearsal) fill(ctx context.Context, pasts map[uuid.UUID]past, contested map[uuid.UUID]bool) error {
	if len(contested) == 0 {
		return nil
	}
	for id := range contested {
		messages, err := r.known.st.Messages(ctx, id)
		if err != nil {
			return err
		}
		for i := range messages {
			pasts[id].messages[messages[i].ID] = messages[i].Hash
		}
	}
	catalog, err := r.known.st.Catalog(ctx)
	if err != nil {
		return err
	}
	for row, index := range catalog.Conversation {
		if id := catalog.Conversations[index]; contested[id] {
			pasts[id].turns[catalog.ID[row]] = store.TurnState{}
		}
	}
	return nil
}
