package sqlite

import (
	"context"
	"fmt"
	"math"
	"slices"

	"lens/store"
	"lens/store/vecindex"
)

// dense answers by vector, as of one commit: what the index file holds, and what was added since it was made.
type dense struct {
	catalog *store.Catalog
	gen     generation
	base    part
	tail    part
}

// generation is the active generation, as of one commit.
type generation struct {
	id      store.GenerationID
	dim     int
	changed int64 // see the schema
	last    int64 // seq of the last vector of all
}

// part is an index together with the catalog row of each of its rows, ascending.
type part struct {
	index *vecindex.Index
	rows  []int32
}

// Nearest implements store.Reader.
func (s *Store) Nearest(ctx context.Context, query []float32, f store.Filter, k int) (found []store.Neighbour, err error) {
	err = s.withDense(ctx, "nearest", func(d *dense) error {
		if err := d.accepts(query); err != nil {
			return err
		}
		found, err = d.nearest(ctx, query, f, k)
		return err
	})
	return found, err
}

// Similarities implements store.Reader.
func (s *Store) Similarities(ctx context.Context, query []float32, ords []store.Ord) (similarities []float64, err error) {
	err = s.withDense(ctx, "similarities", func(d *dense) error {
		if err := d.accepts(query); err != nil {
			return err
		}
		similarities, err = d.similarities(query, ords)
		return err
	})
	return similarities, err
}

func (d *dense) accepts(query []float32) error {
	if len(query) == d.gen.dim {
		return nil
	}
	return &store.Error{
		Code: store.CodeDimensionMismatch, Op: "sqlite: search",
		Message: fmt.Sprintf("the query has %d dimensions, the archive's vectors %d", len(query), d.gen.dim),
		Hint:    "Query with the model that the archive was embedded with, or embed it again.",
	}
}

func (d *dense) nearest(ctx context.Context, query []float32, f store.Filter, k int) ([]store.Neighbour, error) {
	conversation := d.catalog.ConversationIndex(f.Conversation)
	lo, hi := d.catalog.Window(f)
	var found []store.Neighbour
	for _, p := range []part{d.base, d.tail} {
		from, to := p.between(lo, hi)
		keep := func(row int) bool { return d.catalog.Passes(int(p.rows[row]), f, conversation) }
		some, err := p.index.Search(ctx, query, from, to, keep, k)
		if err != nil {
			return nil, err
		}
		found = append(found, some...)
	}
	slices.SortFunc(found, vecindex.Nearer)
	return found[:min(max(k, 0), len(found))], nil
}

func (d *dense) similarities(query []float32, ords []store.Ord) ([]float64, error) {
	similarities := make([]float64, len(ords))
	for i, ord := range ords {
		similarities[i] = math.NaN()
		row, alive := d.catalog.Row(ord)
		if !alive {
			continue
		}
		for _, p := range []part{d.base, d.tail} {
			at, ok := slices.BinarySearch(p.rows, int32(row))
			if !ok {
				continue
			}
			var err error
			if similarities[i], err = p.index.Similarity(query, at); err != nil {
				return nil, err
			}
		}
	}
	return similarities, nil
}

// between returns the range of index rows whose catalog rows are in [lo, hi).
func (p part) between(lo, hi int) (from, to int) {
	from, _ = slices.BinarySearch(p.rows, int32(lo))
	to, _ = slices.BinarySearch(p.rows, int32(hi))
	return from, to
}

// newPart finds the catalog row of every row of index; false when one is not there or they do not ascend, which means that the
// index was made from another archive.
func newPart(index *vecindex.Index, catalog *store.Catalog) (part, bool) {
	p := part{index: index, rows: make([]int32, index.Len())}
	for i := range p.rows {
		row, ok := catalog.Row(index.Ord(i))
		if !ok || i > 0 && int32(row) <= p.rows[i-1] {
			return part{}, false
		}
		p.rows[i] = int32(row)
	}
	return p, true
}
