package ingest

import (
	"context"

	"github.com/google/uuid"

	"lens/store"
	"lens/store/ingest/chat"
)

// dryRun counts what an import would change. It only reads, so it neither waits for other writers nor needs permission
// to write. What it would have written so far counts as written.
//
// Which of two conversations keeps a message makes no difference: it would be new under either id, unless it is a copy.
type dryRun struct {
	st        store.Store // nil: there is no archive
	existing  existing
	forgotten *forgotten // read by the first transaction
	written   map[uuid.UUID]knownChat
	tally     tally
	messages  map[uuid.UUID]uuid.UUID // of those, where copies count: the conversation that had each first
}

func newDryRun(st store.Store, known existing, restore bool) *dryRun {
	return &dryRun{
		st: st, existing: known, written: map[uuid.UUID]knownChat{}, messages: map[uuid.UUID]uuid.UUID{},
		tally:     tally{},
		forgotten: &forgotten{restore: restore, fresh: map[uuid.UUID]bool{}, openers: map[uuid.UUID]bool{}},
	}
}

// transact implements transactor.
func (r *dryRun) transact(ctx context.Context, fn transaction) error {
	if r.st != nil && r.forgotten.Key == nil {
		known, err := r.st.Forgotten(ctx)
		if err != nil {
			return err
		}
		r.forgotten.Forgotten = known
	}
	_, err := fn(func(b *batch) (outcome, error) { return r.write(ctx, b) })
	return err
}

func (r *dryRun) write(ctx context.Context, b *batch) (done outcome, err error) {
	if done.forgotten, err = r.forgotten.leaveOut(ctx, r.st, b); err != nil {
		return done, err
	}
	stored, err := r.existing.conversations(ctx, b)
	if err != nil {
		return done, err
	}
	states := make(map[uuid.UUID]*store.Conversation, len(stored))
	for i := range stored {
		states[stored[i].ID] = &stored[i]
	}
	for i := range b.entries {
		e := &b.entries[i]
		if r.tally.addKnown(e.known); e.parsed != nil {
			if err := r.count(ctx, e, states[e.parsed.ID], &done); err != nil {
				return done, err
			}
		}
	}
	return done, nil
}

// count counts a conversation, of which stored is stored; nil: none is.
func (r *dryRun) count(ctx context.Context, e *entry, stored *store.Conversation, done *outcome) error {
	p := e.parsed
	known, written := r.written[p.ID]
	unchanged := written && e.unchanged(known.last(), known.hashes, known.updated()) ||
		!written && stored != nil && e.unchanged(stored.Hash, stored.Superseded, stored.Updated)
	if unchanged && (!r.forgotten.restore || p.Source.Chunked()) {
		shared, err := r.sharedIDs(ctx, &p.Conversation)
		done.countUnchanged(e, shared, r.tally)
		return err
	}
	shared, err := r.sharedIDs(ctx, &p.Conversation)
	if err != nil {
		return err
	}
	switch {
	case written:
		known.add(e, shared, r.tally, done)
	case stored != nil:
		s, err := readStored(ctx, r.st, p.ID)
		if err != nil {
			return err
		}
		var turns map[uuid.UUID][]uuid.UUID
		if p.Source.Chunked() {
			if turns, err = turnsOf(ctx, r.st, []uuid.UUID{p.ID}); err != nil {
				return err
			}
		}
		known = knownFrom(&s.history, turns[p.ID])
		known.add(e, shared, r.tally, done)
	default:
		done.countNew(e, shared, r.tally)
		known = knownFrom(&history{known: store.Hashes{}.Add(p.Hash), versions: []*store.Conversation{&p.Conversation}}, nil)
	}
	r.written[p.ID] = known
	return nil
}

// sharedIDs returns which messages of c others have or would have, if those may be copies.
func (r *dryRun) sharedIDs(ctx context.Context, c *store.Conversation) (shared map[uuid.UUID]bool, err error) {
	if !chat.Repeats(c.Source) {
		return nil, nil
	}
	shared = map[uuid.UUID]bool{}
	if r.st != nil {
		if shared, err = mayBeCopies(ctx, r.st, c); err != nil {
			return nil, err
		}
	}
	for _, id := range messageIDs(c) {
		switch owner, had := r.messages[id]; {
		case !had:
			r.messages[id] = c.ID
		case owner != c.ID:
			shared[id] = true
		}
	}
	return shared, nil
}
