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

// Conversations may have messages with the same id: a real export of 2023 has such a pair, and continued sessions
// repeat those of their parent. The conversation that began first keeps the id, of several the one with the least id of
// its own; the messages of the others get ids of their own, so all of them stay whole. When one that began earlier is
// imported later, the former owner is written again.

// beganBefore orders conversations by their first time, unknown times last, then by id.
func beganBefore(aCreated, bCreated store.Conversation) bool {
	a, b := aCreated.Created, bCreated.Created
	if a.IsZero() != b.IsZero() {
		return b.IsZero()
	}
	return cmp.Or(a.Compare(b), compareIDs(aCreated.ID, bCreated.ID)) < 0
}

// separateSharedIDs returns the new ids of the messages of c that other conversations keep, by former id, and notes
// which conversations must give up some of theirs.
func (r *revision) separateSharedIDs(
	ctx context.Context, tx store.Tx, c *store.Conversation,
) (map[uuid.UUID]uuid.UUID, error) {
	ids := make([]uuid.UUID, len(c.Messages))
	for i := range c.Messages {
		ids[i] = c.Messages[i].ID
	}
	owners, err := tx.MessageOwners(ctx, ids)
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(owners, func(_, owner uuid.UUID) bool { return owner == c.ID })
	if len(owners) == 0 {
		return nil, nil
	}
	began, err := tx.ConversationStates(ctx, ascending(slices.Collect(maps.Values(owners))))
	if err != nil {
		return nil, err
	}
	renamed := make(map[uuid.UUID]uuid.UUID)
	for id, owner := range owners {
		if beganBefore(*c, store.Conversation{ID: owner, Created: began[owner].Created}) {
			r.losing[owner] = struct{}{}
			continue
		}
		renamed[id] = chat.OwnID(c.ID, id)
	}
	return renamed, nil
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
	ids, err := r.st.VersionedIDs(ctx)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if id == c.ID {
			continue
		}
		other, err := r.read(ctx, id)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(other.versions, func(v *store.Conversation) bool {
			return slices.ContainsFunc(v.Messages, func(m store.Message) bool { return shared[m.ID] })
		}) {
			r.losing[id] = struct{}{}
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
