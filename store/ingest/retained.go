package ingest

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"

	"lens/store"
	"lens/store/ingest/chat"
)

// retained is what stays of a conversation though the files no longer have it.
type retained struct {
	messages []store.Message
	turns    []store.Turn
}

// retain returns what of p's past is not in p, in its former order and behind what is in p. Kept hashes are zero, so that what comes
// back in a later export is never taken for unchanged.
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

// addMessages keeps those of stored that are not in p. They leave the active path, and the turns that are in p: such a turn says what
// the files say. A message that is in p, but is no longer part of a turn that is kept, leaves that turn a copy. Summaries that Lens had made
// stay with turns that read as they did.
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

// copiesFor says which messages, both present and until now part of turns, these keep copies of, under which ids; and gives the
// copies to the turns. Copies that a turn had before it came back, and has now left again, are made anew.
func copiesFor(turns map[uuid.UUID]*store.Turn, stored []store.Message, present map[uuid.UUID]bool) (copied map[uuid.UUID]uuid.UUID, copies map[uuid.UUID]bool) {
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

// addTurns takes the kept turns off the path, gives them the texts that their messages have now, and places behind the others.
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
