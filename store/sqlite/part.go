package sqlite

import (
	"slices"

	"lens/store"
	"lens/store/vecindex"
)

// part is an index together with the catalog rows of its rows.
type part struct {
	index *vecindex.Index
	rows  []int32 // the catalog row of each, ascending; a dead row repeats that of the row before
	at    []int32 // by catalog row: the row of its vector, -1 for none; empty if the index is
	live  vecindex.Set
	paths vecindex.Set // the live rows on the active path
}

// newPart looks up the catalog row of every row of index. ords are the turns of the rows, 0 for dead
// rows. It returns false if a turn is missing or the rows do not ascend: then the index belongs to
// another archive.
func newPart(index *vecindex.Index, ords []store.Ord, catalog *store.Catalog) (part, bool) {
	n := index.Len()
	p := part{index: index, rows: make([]int32, n), live: vecindex.NewSet(n), paths: vecindex.NewSet(n)}
	if n > 0 {
		p.at = slices.Repeat([]int32{-1}, catalog.Len())
	}
	last := int32(-1)
	for i, ord := range ords {
		if ord != 0 {
			row, ok := catalog.Row(ord)
			if !ok || int32(row) <= last {
				return part{}, false
			}
			last = int32(row)
			p.live.Add(i)
			p.at[row] = int32(i)
			if catalog.Flags[row]&store.FlagOnPath != 0 {
				p.paths.Add(i)
			}
		}
		p.rows[i] = last
	}
	return p, true
}

// window returns the index rows in scope, which is the scope of f.
func (p part) window(f store.Filter, scope *store.Scope) vecindex.RowRange {
	w := vecindex.RowRange{Keep: p.paths}
	w.Lo, _ = slices.BinarySearch(p.rows, int32(scope.Lo))
	w.Hi, _ = slices.BinarySearch(p.rows, int32(scope.Hi))
	if f.AllBranches {
		w.Keep = p.live
	}
	if !scope.TimeOnly() {
		w.Keep = p.rowsInScope(w, scope)
	}
	return w
}

func (p part) rowsInScope(w vecindex.RowRange, scope *store.Scope) vecindex.Set {
	only := vecindex.NewSet(len(p.rows))
	for i := w.Lo; i < w.Hi; i++ {
		if row := p.rows[i]; row >= 0 && w.Keep.Has(i) && scope.Contains(int(row)) {
			only.Add(i)
		}
	}
	return only
}

// find returns the index row of a catalog row.
func (p part) find(row int) (at int, ok bool) {
	if row >= len(p.at) || p.at[row] < 0 {
		return 0, false
	}
	return int(p.at[row]), true
}

// findAll returns the index rows of those turns that have one, and their places among ords.
func (p part) findAll(catalog *store.Catalog, ords []store.Ord) (rows, places []int32) {
	for i, ord := range ords {
		row, alive := catalog.Row(ord)
		if !alive {
			continue
		}
		if at, ok := p.find(row); ok {
			rows, places = append(rows, int32(at)), append(places, int32(i))
		}
	}
	return rows, places
}
