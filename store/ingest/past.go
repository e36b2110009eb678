package ingest

import (
	"context"

	"github.com/google/uuid"

	"lens/store"
)

// past is what the archive holds of a conversation that the files tell differently.
type past struct {
	state    store.ConversationState
	messages map[uuid.UUID]store.Hash
	turns    map[uuid.UUID]store.TurnState
}

func newPast(state store.ConversationState) past {
	return past{state, map[uuid.UUID]store.Hash{}, map[uuid.UUID]store.TurnState{}}
}

// pastsOf returns the past of each conversation of b that is stored, without the messages and turns of those that b cannot replace.
func pastsOf(ctx context.Context, tx store.Tx, b *batch) (map[uuid.UUID]past, error) {
	states, err := tx.ConversationStates(ctx, b.conversations())
	if err != nil {
		return nil, err
	}
	pasts := make(map[uuid.UUID]past, len(states))
	var ids []uuid.UUID
	for _, e := range b.entries {
		if e.parsed == nil {
			continue
		}
		state, stored := states[e.parsed.ID]
		if !stored {
			continue
		}
		pasts[e.parsed.ID] = newPast(state)
		if mayReplace(e.parsed, state) {
			ids = append(ids, e.parsed.ID)
		}
	}
	return pasts, fillPasts(ctx, tx, pasts, ids)
}

func fillPasts(ctx context.Context, tx store.Tx, pasts map[uuid.UUID]past, ids []uuid.UUID) error {
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
		pasts[m.Conversation].messages[id] = m.Hash
	}
	for id, t := range turns {
		pasts[t.Conversation].turns[id] = t
	}
	return nil
}
