package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/pgvector/pgvector-go"

	"lens/store"
	"lens/store/vecindex"
)

// signsBatch is the number of vectors whose signs are added to a sketch at a time.
const signsBatch = 4096

// sketchOf returns a sketch for searches in v; nil if it is not ready yet or does not pay.
func (s *Store) sketchOf(v *view) *sketch {
	if v.dim < vecindex.SketchMinDim || v.catalog.Len()*v.dim/8 > maxSketchBytes {
		return nil
	}
	return s.sketches.get(v, s.makeSketch)
}

// makeSketch returns a sketch of the latest commit. It only fetches the signs that base lacks.
func (s *Store) makeSketch(ctx context.Context, base *sketch) (made *sketch, err error) {
	err = s.snapshot(ctx, "sketch", func(c *conn) error {
		v, err := s.viewIn(ctx, c)
		if err != nil {
			return err
		}
		var missing any // NULL: all
		if base.fits(v) {
			made = &sketch{base.Sketch, base.tuples, v.searchPlan}
			_, missing = base.split(v.catalog, v.catalog.Scope(store.Filter{AllBranches: true}, nil))
		} else {
			made = &sketch{nil, v.tuples, v.searchPlan}
			if made.Sketch, err = c.emptySketch(ctx, v); err != nil {
				return err
			}
		}
		return c.fetchSigns(ctx, v.catalog, made, missing)
	})
	return made, err
}

// emptySketch returns a sketch around the mean of a sample of the vectors: those with the least turn
// ids, which are random. Errors: errNoSketch if there are no vectors.
func (c *conn) emptySketch(ctx context.Context, v *view) (empty *vecindex.Sketch, err error) {
	err = c.each(ctx, "MeanVector", []any{v.gen}, func(r row) error {
		if r.null(0) {
			return errNoSketch
		}
		mean := make([]float32, v.dim)
		for i, half := range r.halves(0) {
			mean[i] = store.Widen(half)
		}
		empty = vecindex.NewSketch(mean, v.catalog.Len())
		return nil
	})
	return empty, err
}

// fetchSigns adds to k the signs and tuple ids of the vectors of the missing turns; NULL: of the whole
// generation.
func (c *conn) fetchSigns(ctx context.Context, catalog *store.Catalog, k *sketch, missing any) error {
	ords := make(map[uuid.UUID]store.Ord, catalog.Len())
	for row, id := range catalog.ID {
		ords[id] = catalog.Ord[row]
	}
	var rows []vecindex.SketchRow
	var at []pgtype.TID
	add := func() {
		k.tuples.put(rows, at)
		k.Sketch, rows, at = k.With(rows), rows[:0], at[:0]
	}
	defer add()
	return c.each(ctx, "Signs", []any{k.plan.gen, pgvector.NewHalfVector(k.Mean()), missing}, func(r row) error {
		if ord, alive := ords[r.id(0)]; alive {
			rows = append(rows, vecindex.SketchRow{Ord: ord, Signs: r.signs(3), OnMean: -float32(r.float(2))})
			at = append(at, r.tid(1))
		}
		if len(rows) == signsBatch {
			add()
		}
		return nil
	})
}
