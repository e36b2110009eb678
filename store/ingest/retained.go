package ingest

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"

	"lens/store"
	"lens/store/ingest/chat"
)

// retained is the part of a stored conversation that the files no longer have.
type retained struct {
	messages []store.Message
	turns    []store.Turn
}

// retain returns the stored messages and turns that are not in p, in their former order and after those of p. Their
// hashes are zero, so that they never count as unchanged when a later export has them again.
func (a storedVersion) retain(ctx context.Context, st store.Reader, p *chat.Parsed) (retained, error) {
	lost := a.missingTurns(p)
	if len(lost) == 0 && !a.missesMessages(p) {
		return retained{}, nil
	}
	stored, err := st.Messages(ctx, p.ID)
	if err != nil {
		return retained{}, err
	}
	turns, err := st.Turns(ctx, lost)
	if err != nil {
		return retained{}, err
	}
	k := retained{turns: turns}
	k.addMessages(p, stored, a)
	k.addTurns(p)
	return k, nil
}

func (a storedVersion) missingTurns(p *chat.Parsed) []uuid.UUID {
	present := make(map[uuid.UUID]bool, len(p.Turns))
	for i := range p.Turns {
		present[p.Turns[i].ID] = true
	}
	var lost []uuid.UUID
	for id := range a.turns {
		if !present[id] {
			lost = append(lost, id)
		}
	}
	return lost
}

func (a storedVersion) missesMessages(p *chat.Parsed) bool {
	found := 0
	for i := range p.Messages {
		if _, stored := a.messages[p.Messages[i].ID]; stored {
			found++
		}
	}
	return found < len(a.messages)
}

// addMessages keeps the stored messages that are not in p. They leave the active path and the turns of p, because those
// turns say what the files say. When a message of a retained turn is in p, the turn keeps a copy of the old message.
// Summaries that Lens made stay with turns that did not change.
func (k *retained) addMessages(p *chat.Parsed, stored []store.Message, a storedVersion) {
	present := make(map[uuid.UUID]bool, len(p.Messages))
	for i := range p.Messages {
		present[p.Messages[i].ID] = true
	}
	turns := make(map[uuid.UUID]*store.Turn, len(k.turns))
	for i := range k.turns {
		turns[k.turns[i].ID] = &k.turns[i]
	}
	copied, copies := copiesFor(turns, stored, present)
	for _, m := range stored {
		if a.retainSummary(&m, p) {
			k.messages = append(k.messages, m)
			continue
		}
		if own, is := copied[m.ID]; is {
			m.ID = own
		} else if present[m.ID] || copies[m.ID] {
			continue
		}
		m.Seq, m.OnPath, m.Hash = len(p.Messages)+len(k.messages), false, store.Hash{}
		if turns[m.Turn] == nil {
			m.Turn = uuid.Nil
		}
		k.messages = append(k.messages, m)
	}
}

// copiesFor finds the messages of turns that are present in the new version, and links the turns to copies of them.
// copied maps each message to the id of its copy; copies holds those ids. Copies from an earlier import are replaced.
func copiesFor(
	turns map[uuid.UUID]*store.Turn, stored []store.Message, present map[uuid.UUID]bool,
) (copied map[uuid.UUID]uuid.UUID, copies map[uuid.UUID]bool) {
	copied, copies = map[uuid.UUID]uuid.UUID{}, map[uuid.UUID]bool{}
	for i := range stored {
		m := &stored[i]
		t := turns[m.Turn]
		if t == nil || !present[m.ID] {
			continue
		}
		own := chat.OwnID(t.ID, m.ID)
		copied[m.ID], copies[own] = own, true
		if t.UserMessage == m.ID {
			t.UserMessage = own
		}
		if t.Assistant == m.ID {
			t.Assistant = own
		}
	}
	return copied, copies
}

// addTurns takes the retained turns off the active path, rebuilds their texts and numbers their positions after those
// of p.
func (k *retained) addTurns(p *chat.Parsed) {
	slices.SortFunc(k.turns, func(a, b store.Turn) int {
		return cmp.Or(cmp.Compare(a.Position, b.Position), slices.Compare(a.ID[:], b.ID[:]))
	})
	all := slices.Concat(p.Messages, k.messages)
	assemble(k.turns, all)
	for i := range k.turns {
		t := &k.turns[i]
		t.Position, t.OnPath, t.Hash = len(p.Turns)+i, false, store.Hash{}
	}
}
