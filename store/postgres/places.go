package postgres

import (
	"sync"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"

	"lens/store"
	"lens/store/vecindex"
)

// places are where the vectors of turns lie in their table, as searches have met them: to find one there takes the server a quarter of the
// pages that finding it by its turn's id does. They hold for one generation, as long as nothing of it is replaced or removed and the
// table is not written anew. Safe for concurrent use.
type places struct {
	mu sync.RWMutex
	of []pgtype.TID // by ordinal
}

// split returns the places of the turns of scope, and the ids of those whose place is not known.
func (p *places) split(c *store.Catalog, scope *store.Scope) (known pgtype.FlatArray[pgtype.TID], unknown []uuid.UUID) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	for row := range scope.Rows() {
		if ord := int(c.Ord[row]); ord < len(p.of) && p.of[ord].Valid {
			known = append(known, p.of[ord])
		} else {
			unknown = append(unknown, c.ID[row])
		}
	}
	return known, unknown
}

// put keeps the places of rows, one each.
func (p *places) put(rows []vecindex.SketchRow, at []pgtype.TID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, row := range rows {
		p.keep(row.Ord, at[i])
	}
}

func (p *places) keep(ord store.Ord, at pgtype.TID) {
	if need := int(ord) + 1 - len(p.of); need > 0 {
		p.of = append(p.of, make([]pgtype.TID, need)...)
	}
	p.of[ord] = at
}

// get returns the places of turns that are all known.
func (p *places) get(ords []store.Ord) pgtype.FlatArray[pgtype.TID] {
	p.mu.RLock()
	defer p.mu.RUnlock()
	at := make(pgtype.FlatArray[pgtype.TID], len(ords))
	for i, ord := range ords {
		at[i] = p.of[ord]
	}
	return at
}

// met is a vector that a search has met.
type met struct {
	place      pgtype.TID
	similarity float64
}

// learn says which turns of scope were met, by their ids, and keeps their places.
func (p *places) learn(c *store.Catalog, scope *store.Scope, found map[uuid.UUID]met) []store.Neighbor {
	p.mu.Lock()
	defer p.mu.Unlock()
	seen := make([]store.Neighbor, 0, len(found))
	for row := range scope.Rows() {
		m, ok := found[c.ID[row]]
		if !ok {
			continue
		}
		ord := c.Ord[row]
		p.keep(ord, m.place)
		seen = append(seen, store.Neighbor{Ord: ord, Similarity: m.similarity})
	}
	return seen
}
