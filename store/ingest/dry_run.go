package ingest

import (
	"context"
	"maps"
	"slices"

	"github.com/google/uuid"

	"lens/store"
	"lens/store/ingest/chat"
)

// dryRun counts what an import would change. It only reads, so it neither waits for other writers nor needs permission
// to write. What it would have written so far counts as written.
//
// Which of two conversations keeps a message makes no difference: it would be new under either id, unless it is a copy.
// Then it counts in the one that has it, as for the writer.
type dryRun struct {
	st        store.Store // nil: there is no archive
	existing  existing
	forgotten *forgotten // read by the first transaction
	written   map[uuid.UUID]knownChat
	tally     tally
	keepers   map[uuid.UUID]uuid.UUID          // of messages that may be copies: the conversation that has each by now
	began     map[uuid.UUID]store.Conversation // those conversations, only what beganBefore compares
}

func newDryRun(st store.Store, known existing, restore bool, counted tally) *dryRun {
	return &dryRun{
		st: st, existing: known, written: map[uuid.UUID]knownChat{}, tally: counted,
		keepers: map[uuid.UUID]uuid.UUID{}, began: map[uuid.UUID]store.Conversation{},
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

// sharedIDs returns which messages of c others have or would have, if those may be copies. c takes over those of
// conversations that it began before.
func (r *dryRun) sharedIDs(ctx context.Context, c *store.Conversation) (map[uuid.UUID]bool, error) {
	if !chat.Repeats(c.Source) {
		return nil, nil
	}
	stored := map[uuid.UUID]uuid.UUID{}
	if r.st != nil {
		var err error
		if stored, err = keptByOthers(ctx, r.st, c); err != nil {
			return nil, err
		}
	}
	if err := r.rememberBegan(ctx, c, stored); err != nil {
		return nil, err
	}
	own := r.began[c.ID]
	shared := map[uuid.UUID]bool{}
	for _, id := range messageIDs(c) {
		keeper, kept := r.keepers[id]
		if !kept {
			keeper, kept = stored[id]
		}
		if !kept || beganBefore(own, r.began[keeper]) {
			r.keepers[id] = c.ID
		} else {
			r.keepers[id] = keeper
		}
		if kept && keeper != c.ID {
			shared[id] = true
		}
	}
	return shared, nil
}

// rememberBegan notes when c began, and when the stored conversations that keep messages of it did.
func (r *dryRun) rememberBegan(ctx context.Context, c *store.Conversation, keepers map[uuid.UUID]uuid.UUID) error {
	unread := map[uuid.UUID]struct{}{}
	for _, id := range slices.AppendSeq([]uuid.UUID{c.ID}, maps.Values(keepers)) {
		_, stored := r.existing.ids[id]
		if _, read := r.began[id]; stored && !read {
			unread[id] = struct{}{}
		}
	}
	if len(unread) > 0 {
		conversations, err := r.st.Conversations(ctx, ascending(slices.Collect(maps.Keys(unread))))
		if err != nil {
			return err
		}
		for i := range conversations {
			r.began[conversations[i].ID] = store.Conversation{ID: conversations[i].ID, Created: conversations[i].Created}
		}
	}
	own := store.Conversation{ID: c.ID, Created: c.Created}
	if before, known := r.began[c.ID]; !known || beganBefore(own, before) {
		r.began[c.ID] = own
	}
	return nil
}
