package postgres

import (
	"sync"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"

	"lens/store"
	"lens/store/vecindex"
)

// places are where the vectors of turns lie in their table, as searches have seenTuple them: to find one there takes the server a quarter of the
// pages that finding it by its turn's id does. They hold for one generation, as long as nothing of it is replaced or removed and the
// table is not written anew. Safe for concurrent use.
type tupleCache struct {
	mu   sync.RWMutex
	tids []pgtype.TID // by ordinal
}

// split returns the places of the turns of scope, and the ids of those whose place is not known.
func (p *tupleCache) split(c *store.Catalog, scope *store.Scope) (known pgtype.FlatArray[pgtype.TID], unknown []uuid.UUID) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	for row := range scope.Rows() {
		if ord := int(c.Ord[row]); ord < len(p.tids) && p.tids[ord].Valid {
			known = append(known, p.tids[ord])
		} else {
			unknown = append(unknown, c.ID[row])
		}
	}
	return known, unknown
}

// put keeps the places of rows, one each.
func (p *tupleCache) put(rows []vecindex.SketchRow, at []pgtype.TID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, row := range rows {
		p.keep(row.Ord, at[i])
	}
}

func (p *tupleCache) keep(ord store.Ord, at pgtype.TID) {
	if need := int(ord) + 1 - len(p.tids); need > 0 {
		p.tids = append(p.tids, make([]pgtype.TID, need)...)
	}
	p.tids[ord] = at
}

// get returns the places of turns that are all known.
func (p *tupleCache) get(ords []store.Ord) pgtype.FlatArray[pgtype.TID] {
	p.mu.RLock()
	defer p.mu.RUnlock()
	at := make(pgtype.FlatArray[pgtype.TID], len(ords))
	for i, ord := range ords {
		at[i] = p.tids[ord]
	}
	return at
}

// seenTuple is a vector that a search has seenTuple.
type seenTuple struct {
	tid        pgtype.TID
	similarity float64
}

// learn says which turns of scope were seenTuple, by their ids, and keeps their places.
func (p *tupleCache) add(c *store.Catalog, scope *store.Scope, found map[uuid.UUID]seenTuple) []store.Neighbor {
	p.mu.Lock()
	defer p.mu.Unlock()
	seen := make([]store.Neighbor, 0, len(found))
	for row := range scope.Rows() {
		m, ok := found[c.ID[row]]
		if !ok {
			continue
		}
		ord := c.Ord[row]
		p.keep(ord, m.tid)
		seen = append(seen, store.Neighbor{Ord: ord, Similarity: m.similarity})
	}
	return seen
}
