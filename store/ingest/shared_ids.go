package ingest

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/google/uuid"

	"lens/store"
	"lens/store/ingest/chat"
)

// Conversations may have messages with the same id: a real export of 2023 has such a pair, and sessions with coding
// tools that continue others begin with copies of their messages. The conversation that began first keeps the messages,
// of several the one with the least id of its own. The others do without the copies. Where the source does not say that
// they are copies, the messages get ids of their own, so all conversations stay whole. When one that began earlier is
// imported later, the former owner is written again.

// beganBefore orders conversations by their first time, unknown times last, then by id.
func beganBefore(aCreated, bCreated store.Conversation) bool {
	a, b := aCreated.Created, bCreated.Created
	if a.IsZero() != b.IsZero() {
		return b.IsZero()
	}
	return cmp.Or(a.Compare(b), compareIDs(aCreated.ID, bCreated.ID)) < 0
}

// sharing says which messages of a conversation others had.
type sharing struct {
	kept  map[uuid.UUID]bool // those that others keep
	taken map[uuid.UUID]bool // those that this conversation takes over
}

// all returns both.
func (s sharing) all() map[uuid.UUID]bool {
	all := maps.Clone(s.kept)
	maps.Copy(all, s.taken)
	return all
}

// ownersReader tells who has messages: the archive, or a transaction.
type ownersReader interface {
	MessageOwners(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]uuid.UUID, error)
}

// keptByOthers returns the conversations, other than c, that have messages of c.
func keptByOthers(ctx context.Context, st ownersReader, c *store.Conversation) (map[uuid.UUID]uuid.UUID, error) {
	owners, err := st.MessageOwners(ctx, messageIDs(c))
	maps.DeleteFunc(owners, func(_, owner uuid.UUID) bool { return owner == c.ID })
	return owners, err
}

// mayBeCopies returns the messages of c that other conversations have, if those may be copies.
func mayBeCopies(ctx context.Context, st ownersReader, c *store.Conversation) (map[uuid.UUID]bool, error) {
	if !chat.Repeats(c.Source) {
		return nil, nil
	}
	owners, err := keptByOthers(ctx, st, c)
	return setOf(owners), err
}

func setOf[V any](m map[uuid.UUID]V) map[uuid.UUID]bool {
	set := make(map[uuid.UUID]bool, len(m))
	for id := range m {
		set[id] = true
	}
	return set
}

// sharedIDs returns which messages of c others have, and notes which conversations must give up some of theirs.
func (r *revision) sharedIDs(ctx context.Context, tx store.Tx, c *store.Conversation) (s sharing, err error) {
	owners, err := keptByOthers(ctx, tx, c)
	if err != nil || len(owners) == 0 {
		return s, err
	}
	began, err := tx.ConversationStates(ctx, ascending(slices.Collect(maps.Values(owners))))
	if err != nil {
		return s, err
	}
	s = sharing{kept: map[uuid.UUID]bool{}, taken: map[uuid.UUID]bool{}}
	for id, owner := range owners {
		if beganBefore(*c, store.Conversation{ID: owner, Created: began[owner].Created}) {
			r.losing[owner] = struct{}{}
			s.taken[id] = true
			continue
		}
		s.kept[id] = true
	}
	return s, nil
}

// takeOver makes the vectors stale of turns that others had, and may have had with another text.
func (r *revision) takeOver(c *store.Conversation, taken map[uuid.UUID]bool) {
	if len(taken) == 0 {
		return
	}
	for i := range c.Turns {
		if t := &c.Turns[i]; taken[t.UserMessage] {
			r.stale = append(r.stale, t.ID)
		}
	}
}

func messageIDs(c *store.Conversation) []uuid.UUID {
	ids := make([]uuid.UUID, len(c.Messages))
	for i := range c.Messages {
		ids[i] = c.Messages[i].ID
	}
	return ids
}

// releaseSharedIDs notes the conversations that may take messages over from c, if it begins later than before. They are
// among those with versions, because their messages had to get other ids.
func (r *revision) releaseSharedIDs(ctx context.Context, before store.Conversation, c *store.Conversation) error {
	if !beganBefore(before, *c) {
		return nil
	}
	shared := make(map[uuid.UUID]bool, len(c.Messages))
	for i := range c.Messages {
		shared[c.Messages[i].ID] = true
	}
	return r.eachVersioned(ctx, func(id uuid.UUID, other storedChat) error {
		if id != c.ID && other.hasAny(shared) {
			r.losing[id] = struct{}{}
		}
		return nil
	})
}

// eachVersioned calls do for the conversations that are stored with versions, as this transaction has them: those that
// it removed have none.
func (w *writer) eachVersioned(ctx context.Context, do func(uuid.UUID, storedChat) error) error {
	ids, err := w.st.VersionedIDs(ctx)
	if err != nil {
		return err
	}
	for _, id := range ids {
		stored, err := w.read(ctx, id)
		if err != nil {
			return err
		}
		if err := do(id, stored); err != nil {
			return err
		}
	}
	return nil
}

// originalIDs gives messages of a conversation that were renamed, or copied for their turn, the ids that its files
// have.
func originalIDs(c *store.Conversation) {
	renamed := make(map[uuid.UUID]uuid.UUID)
	for i := range c.Messages {
		m := &c.Messages[i]
		original := chat.MessageID(c.SourceID, m.SourceID)
		if original != m.ID && (chat.OwnID(c.ID, original) == m.ID || chat.OwnID(m.Turn, original) == m.ID) {
			renamed[m.ID] = original
		}
	}
	if len(renamed) > 0 {
		chat.Rename(c, renamed)
	}
}
