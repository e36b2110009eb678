package ingest

import (
	"context"

	"github.com/google/uuid"

	"lens/store"
	"lens/store/ingest/chat"
)

// Two conversations may contain a message with the same id: a real export of 2023 has such a pair. The conversation
// that was stored first keeps the id. The message of the other one gets an id of its own, forever, so both
// conversations stay whole.

// messageOwners returns, by message id, the conversations that own the messages of b's new and changed conversations.
func messageOwners(
	ctx context.Context, tx store.Tx, b *batch, versions map[uuid.UUID]storedVersion, r readVersions,
) (map[uuid.UUID]uuid.UUID, error) {
	var ids []uuid.UUID
	for _, e := range b.entries {
		if e.parsed == nil {
			continue
		}
		if stored, known := versions[e.parsed.ID]; known && stored.compare(e.parsed, r) != replaceStored {
			continue
		}
		for i := range e.parsed.Messages {
			ids = append(ids, e.parsed.Messages[i].ID)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	return tx.MessageOwners(ctx, ids)
}

// separateSharedIDs gives the messages of p that another conversation owns, or owned when p was stored, ids of their
// own.
func separateSharedIDs(p *chat.Parsed, owners map[uuid.UUID]uuid.UUID, stored storedVersion) {
	var ids map[uuid.UUID]uuid.UUID
	for i := range p.Messages {
		id := p.Messages[i].ID
		owner, taken := owners[id]
		if taken && owner == p.ID || !taken && len(stored.messages) == 0 {
			continue
		}
		own := chat.OwnID(p.ID, id)
		if _, renamed := stored.messages[own]; !taken && !renamed {
			continue
		}
		if ids == nil {
			ids = make(map[uuid.UUID]uuid.UUID)
		}
		ids[id] = own
	}
	if ids != nil {
		p.Rename(ids)
	}
}
