package ingest

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"

	"lens/store"
	"lens/store/ingest/chat"
)

// retained is the part of a stored document or record that its file no longer has.
type retained struct {
	messages []store.Message
	turns    []store.Turn
}

// retain returns the stored messages and turns that are not in p, in their former order, after those of p and off the
// path. Ids derive from the content, so a turn is there as a whole or not at all. Their hashes are zero, so that they
// never count as unchanged when the file has them again.
func (s storedChat) retain(ctx context.Context, st store.Reader, p *chat.Parsed, turns []uuid.UUID) (retained, error) {
	present := make(map[uuid.UUID]bool, len(p.Turns))
	for i := range p.Turns {
		present[p.Turns[i].ID] = true
	}
	missing := slices.DeleteFunc(slices.Clone(turns), func(id uuid.UUID) bool { return present[id] })
	if len(missing) == 0 {
		return retained{}, nil
	}
	var kept retained
	var err error
	if kept.turns, err = st.Turns(ctx, missing); err != nil {
		return kept, err
	}
	for _, m := range s.messages {
		if !present[m.Turn] {
			m.Seq, m.OnPath, m.Hash = len(p.Messages)+len(kept.messages), false, store.Hash{}
			kept.messages = append(kept.messages, m)
		}
	}
	slices.SortFunc(kept.turns, func(a, b store.Turn) int {
		return cmp.Or(cmp.Compare(a.Position, b.Position), compareIDs(a.ID, b.ID))
	})
	for i := range kept.turns {
		t := &kept.turns[i]
		t.Position, t.OnPath, t.Hash = len(p.Turns)+i, false, store.Hash{}
	}
	return kept, nil
}
