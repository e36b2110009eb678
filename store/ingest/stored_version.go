package ingest

import (
	"context"

	"github.com/google/uuid"

	"lens/store"
)

// storedVersion is the version of a conversation that the archive holds, reduced to what comparing it needs.
type storedVersion struct {
	state    store.ConversationState
	messages map[uuid.UUID]store.Hash
	turns    map[uuid.UUID]store.TurnState
}

func newStoredVersion(state store.ConversationState) storedVersion {
	return storedVersion{state, map[uuid.UUID]store.Hash{}, map[uuid.UUID]store.TurnState{}}
}

// storedVersions returns the stored version of each conversation of b, by id. Those that b cannot replace come without
// their messages and turns.
func storedVersions(ctx context.Context, tx store.Tx, b *batch) (map[uuid.UUID]storedVersion, error) {
	states, err := tx.ConversationStates(ctx, b.conversations())
	if err != nil {
		return nil, err
	}
	versions := make(map[uuid.UUID]storedVersion, len(states))
	var ids []uuid.UUID
	for _, e := range b.entries {
		if e.parsed == nil {
			continue
		}
		state, stored := states[e.parsed.ID]
		if !stored {
			continue
		}
		versions[e.parsed.ID] = newStoredVersion(state)
		if mayReplace(e.parsed, state) {
			ids = append(ids, e.parsed.ID)
		}
	}
	return versions, fillVersions(ctx, tx, versions, ids)
}

func fillVersions(ctx context.Context, tx store.Tx, versions map[uuid.UUID]storedVersion, ids []uuid.UUID) error {
	if len(ids) == 0 {
		return nil
	}
	messages, err := tx.MessageStates(ctx, ids)
	if err != nil {
		return err
	}
	turns, err := tx.TurnStates(ctx, ids)
	if err != nil {
		return err
	}
	for id, m := range messages {
		versions[m.Conversation].messages[id] = m.Hash
	}
	for id, t := range turns {
		versions[t.Conversation].turns[id] = t
	}
	return nil
}
