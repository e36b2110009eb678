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
func (v storedVersion) retain(ctx context.Context, st store.Reader, p *chat.Parsed) (retained, error) {
	missing := v.missingTurns(p)
	if len(missing) == 0 && !v.lacksMessages(p) {
		return retained{}, nil
	}
	stored, err := st.Messages(ctx, p.ID)
	if err != nil {
		return retained{}, err
	}
	turns, err := st.Turns(ctx, missing)
	if err != nil {
		return retained{}, err
	}
	kept := retained{turns: turns}
	kept.addMessages(p, stored, v)
	kept.addTurns(p)
	return kept, nil
}

func (v storedVersion) missingTurns(p *chat.Parsed) []uuid.UUID {
	present := make(map[uuid.UUID]bool, len(p.Turns))
	for i := range p.Turns {
		present[p.Turns[i].ID] = true
	}
	var missing []uuid.UUID
	for id := range v.turns {
		if !present[id] {
			missing = append(missing, id)
		}
	}
	return missing
}

func (v storedVersion) lacksMessages(p *chat.Parsed) bool {
	found := 0
	for i := range p.Messages {
		if _, stored := v.messages[p.Messages[i].ID]; stored {
			found++
		}
	}
	return found < len(v.messages)
}

// addMessages keeps the stored messages that are not in p. They leave the active path and the turns of p, because those
// turns say what the files say. When a message of a retained turn is in p, the turn keeps a copy of the old message.
// Summaries that Lens made stay with turns that did not change.
func (r *retained) addMessages(p *chat.Parsed, stored []store.Message, v storedVersion) {
	present := make(map[uuid.UUID]bool, len(p.Messages))
	for i := range p.Messages {
		present[p.Messages[i].ID] = true
	}
	turns := make(map[uuid.UUID]*store.Turn, len(r.turns))
	for i := range r.turns {
		turns[r.turns[i].ID] = &r.turns[i]
	}
	copied, copies := copiesFor(turns, stored, present)
	for _, m := range stored {
		if v.retainSummary(&m, p) {
			r.messages = append(r.messages, m)
			continue
		}
		if own, is := copied[m.ID]; is {
			m.ID = own
		} else if present[m.ID] || copies[m.ID] {
			continue
		}
		m.Seq, m.OnPath, m.Hash = len(p.Messages)+len(r.messages), false, store.Hash{}
		if turns[m.Turn] == nil {
			m.Turn = uuid.Nil
		}
		r.messages = append(r.messages, m)
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
func (r *retained) addTurns(p *chat.Parsed) {
	slices.SortFunc(r.turns, func(a, b store.Turn) int {
		return cmp.Or(cmp.Compare(a.Position, b.Position), slices.Compare(a.ID[:], b.ID[:]))
	})
	all := slices.Concat(p.Messages, r.messages)
	assemble(r.turns, all)
	for i := range r.turns {
		t := &r.turns[i]
		t.Position, t.OnPath, t.Hash = len(p.Turns)+i, false, store.Hash{}
	}
}
