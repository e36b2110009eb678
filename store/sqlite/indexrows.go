package sqlite

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"lens/store"
	"lens/store/vecindex"
)

// loadTail reads the vectors that are not in next's base. It reuses the vectors that last has in
// memory.
func (c *conn) loadTail(next, last *dense) (part, error) {
	added, err := c.vectorsAfter(next, next.base.index.Tag[2])
	if err != nil {
		return part{}, err
	}
	for _, v := range next.state.missing { // the turn may have a new row by now
		var ok bool
		if v.row, ok = next.catalog.Row(v.ord); ok {
			added = append(added, v)
		}
	}
	sortByRow(added)
	contents := c.contents(next, added, last)
	index, err := vecindex.New(contents)
	if err != nil {
		return part{}, err
	}
	tail, ok := newPart(index, contents.Ords, next.catalog)
	if !ok {
		return part{}, fmt.Errorf("tail of generation %d: %w", next.gen.id, vecindex.ErrDamaged)
	}
	return tail, nil
}

// vectorRef identifies a stored vector and its turn.
type vectorRef struct {
	seq int64
	ord store.Ord
	row int // of the catalog
}

func sortByRow(all []vectorRef) {
	slices.SortFunc(all, func(a, b vectorRef) int { return cmp.Compare(a.row, b.row) })
}

func (c *conn) vectorsOf(d *dense) ([]vectorRef, error) {
	return c.vectorsIn(d.catalog, "VectorSeqs", d.gen.id)
}

func (c *conn) vectorsAfter(d *dense, seq int64) ([]vectorRef, error) {
	return c.vectorsIn(d.catalog, "VectorSeqsAfter", d.gen.id, seq)
}

// vectorsIn returns the vectors that a query selects, in catalog order.
func (c *conn) vectorsIn(catalog *store.Catalog, name string, args ...any) (all []vectorRef, err error) {
	err = c.each(name, args, func(r row) error {
		v := vectorRef{seq: r.ColumnInt64(0), ord: store.Ord(r.ColumnInt64(1))}
		var ok bool
		if v.row, ok = catalog.Row(v.ord); ok {
			all = append(all, v)
		}
		return nil
	})
	sortByRow(all)
	return all, err
}

// contents returns the contents of an index of all. It copies vectors from last where possible.
func (c *conn) contents(next *dense, all []vectorRef, last *dense) vecindex.Contents {
	contents := vecindex.Contents{
		Dim: next.gen.dim, Tag: next.gen.tag(),
		Ords: make([]store.Ord, len(all)), Keys: make([]int64, len(all)),
		Rows: c.halves(all, last.cachedHalves()),
	}
	for i, v := range all {
		contents.Ords[i], contents.Keys[i] = v.ord, v.seq
	}
	return contents
}

// cachedHalves returns a lookup by seq of the vectors in d, which may be nil. It skips damaged
// vectors.
func (d *dense) cachedHalves() func(seq int64) ([]byte, bool) {
	if d == nil {
		return func(int64) ([]byte, bool) { return nil, false }
	}
	type location struct {
		index *vecindex.Index
		row   int
	}
	locations := make(map[int64]location, d.base.index.Len()+d.tail.index.Len())
	for _, p := range []part{d.base, d.tail} {
		for i := range p.rows {
			locations[p.index.Key(i)] = location{p.index, i}
		}
	}
	return func(seq int64) ([]byte, bool) {
		at, ok := locations[seq]
		if !ok {
			return nil, false
		}
		half, err := at.index.Halves(at.row)
		return half, err == nil
	}
}

// halves yields the halves of each vector, cached or read from the table. A slice is valid until the
// next one.
func (c *conn) halves(all []vectorRef, cached func(seq int64) ([]byte, bool)) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for _, v := range all {
			if half, ok := cached(v.seq); ok {
				if !yield(half, nil) {
					return
				}
				continue
			}
			more := true
			err := c.each("VectorBySeq", []any{v.seq}, func(r row) error {
				more = yield(r.ColumnRawBlob(0), nil)
				return nil
			})
			if err != nil {
				yield(nil, err)
				return
			}
			if !more {
				return
			}
		}
	}
}
