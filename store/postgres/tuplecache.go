package postgres

import (
	"sync"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"

	"lens/store"
	"lens/store/vecindex"
)

// tupleCache maps turns to the tuple ids of their vectors, as searches have seen them. Fetching a
// vector by its tuple id takes the server a quarter of the pages of a lookup by turn id. A cache is
// valid for one generation until one of its vectors is replaced or removed, or the table is rewritten.
// Safe for concurrent use.
type tupleCache struct {
	mu   sync.RWMutex
	tids []pgtype.TID // by ordinal
}

// split returns the tuple ids of the turns of scope, and the ids of the turns whose tuple is unknown.
func (p *tupleCache) split(
	c *store.Catalog, scope *store.Scope,
) (known pgtype.FlatArray[pgtype.TID], unknown []uuid.UUID) {
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

// put stores the tuple ids of rows: at[i] belongs to rows[i].
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

// get returns the tuple ids of turns that are all known.
func (p *tupleCache) get(ords []store.Ord) pgtype.FlatArray[pgtype.TID] {
	p.mu.RLock()
	defer p.mu.RUnlock()
	at := make(pgtype.FlatArray[pgtype.TID], len(ords))
	for i, ord := range ords {
		at[i] = p.tids[ord]
	}
	return at
}

// seenTuple is a vector that a search has compared.
type seenTuple struct {
	tid        pgtype.TID
	similarity float64
}

// add stores the tuple ids of the turns of scope in found, which maps turn ids, and returns these
// turns.
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
