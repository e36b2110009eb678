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
// It ignores whether another conversation owns a message's id: the message would be new under either id.
type dryRun struct {
	st        store.Store // nil: there is no archive
	existing  existing
	forgotten *forgotten // read by the first transaction
	written   map[uuid.UUID]plannedVersion
	read      readVersions
}

// plannedVersion is a compact storedVersion: a dry run keeps one for each conversation that it would have written.
type plannedVersion struct {
	state    store.ConversationState
	messages []plannedMessage
	turns    []uuid.UUID
}

type plannedMessage struct {
	id   uuid.UUID
	hash store.Hash
}

func newDryRun(st store.Store, known existing, restore bool) *dryRun {
	return &dryRun{
		st: st, existing: known, forgotten: &forgotten{restore: restore},
		written: map[uuid.UUID]plannedVersion{}, read: readVersions{},
	}
}

// transact implements transactor.
func (r *dryRun) transact(ctx context.Context, fn func(writeBatch) error) error {
	if r.st != nil && r.forgotten.Key == nil {
		known, err := r.st.Forgotten(ctx)
		if err != nil {
			return err
		}
		r.forgotten.Forgotten = known
	}
	return fn(func(b *batch) (outcome, error) { return r.write(ctx, b) })
}

func (r *dryRun) write(ctx context.Context, b *batch) (outcome, error) {
	left, err := r.forgotten.leaveOut(ctx, r.st, b)
	if err != nil {
		return outcome{}, err
	}
	done := outcome{forgotten: left}
	versions, err := r.storedVersions(ctx, b)
	if err != nil {
		return done, err
	}
	for _, e := range b.entries {
		if e.parsed == nil {
			continue
		}
		if stored, known := versions[e.parsed.ID]; known {
			r.merge(e.parsed, stored, &done)
		} else {
			done.countNew(e.parsed)
			r.record(e.parsed, storedVersion{})
		}
	}
	return done, nil
}

// merge counts a conversation of which a version is stored, or would be. A version that gives way need not be recorded:
// it would give way again.
func (r *dryRun) merge(p *chat.Parsed, stored storedVersion, done *outcome) {
	if stored.compare(p, r.read) == replaceStored {
		separateSharedIDs(p, stored.ownMessages(p.ID), stored)
		stored.recordSuperseded(p)
		done.countUpdated(p, stored)
		r.record(p, stored)
		return
	}
	done.countUnchanged(p)
	if p.Hash == stored.state.Hash {
		r.read.add(p.ID)
	}
}

// record notes that p would replace stored.
func (r *dryRun) record(p *chat.Parsed, stored storedVersion) {
	r.read.add(p.ID)
	r.written[p.ID] = planVersion(p, stored)
}

// ownMessages returns the given conversation as the owner of each of its stored messages.
func (v storedVersion) ownMessages(conversation uuid.UUID) map[uuid.UUID]uuid.UUID {
	owners := make(map[uuid.UUID]uuid.UUID, len(v.messages))
	for id := range v.messages {
		owners[id] = conversation
	}
	return owners
}

// planVersion returns what the archive would hold after p replaced stored.
func planVersion(p *chat.Parsed, stored storedVersion) plannedVersion {
	planned := plannedVersion{
		state:    store.ConversationState{Hash: p.Hash, Updated: p.Updated},
		messages: make([]plannedMessage, 0, len(p.Messages)), turns: make([]uuid.UUID, 0, len(p.Turns)),
	}
	present := make(map[uuid.UUID]bool, len(p.Messages)+len(p.Turns))
	for i := range p.Messages {
		planned.messages = append(planned.messages, plannedMessage{p.Messages[i].ID, p.Messages[i].Hash})
		present[p.Messages[i].ID] = true
	}
	for i := range p.Turns {
		planned.turns = append(planned.turns, p.Turns[i].ID)
		present[p.Turns[i].ID] = true
	}
	for id := range stored.messages {
		if !present[id] {
			planned.messages = append(planned.messages, plannedMessage{id: id})
		}
	}
	for id := range stored.turns {
		if !present[id] {
			planned.turns = append(planned.turns, id)
		}
	}
	return planned
}

func (planned plannedVersion) storedVersion() storedVersion {
	v := newStoredVersion(planned.state)
	for _, message := range planned.messages {
		v.messages[message.id] = message.hash
	}
	for _, id := range planned.turns {
		v.turns[id] = store.TurnState{}
	}
	return v
}

// storedVersions returns what the function of the same name would if everything before b had been written.
func (r *dryRun) storedVersions(ctx context.Context, b *batch) (map[uuid.UUID]storedVersion, error) {
	stored, err := r.existing.conversations(ctx, b)
	if err != nil {
		return nil, err
	}
	versions, replaceable := make(map[uuid.UUID]storedVersion, len(stored)), map[uuid.UUID]bool{}
	for i := range stored {
		c := &stored[i]
		versions[c.ID] = newStoredVersion(store.ConversationState{
			Hash:       c.Hash,
			Updated:    c.Updated,
			Superseded: c.Superseded,
		})
	}
	for _, e := range b.entries {
		if e.parsed == nil {
			continue
		}
		if m, written := r.written[e.parsed.ID]; written {
			versions[e.parsed.ID] = m.storedVersion()
		} else if v, known := versions[e.parsed.ID]; known && mayReplace(e.parsed, v.state) {
			replaceable[e.parsed.ID] = true
		}
	}
	return versions, r.fillVersions(ctx, versions, replaceable)
}

// fillVersions reads the messages and turns of the conversations that can be replaced.
func (r *dryRun) fillVersions(
	ctx context.Context, versions map[uuid.UUID]storedVersion, replaceable map[uuid.UUID]bool,
) error {
	if len(replaceable) == 0 {
		return nil
	}
	for id := range replaceable {
		messages, err := r.existing.st.Messages(ctx, id)
		if err != nil {
			return err
		}
		for i := range messages {
			versions[id].messages[messages[i].ID] = messages[i].Hash
		}
	}
	catalog, err := r.existing.st.Catalog(ctx)
	if err != nil {
		return err
	}
	for row, index := range catalog.Conversation {
		if id := catalog.Conversations[index]; replaceable[id] {
			versions[id].turns[catalog.ID[row]] = store.TurnState{}
		}
	}
	return nil
}
