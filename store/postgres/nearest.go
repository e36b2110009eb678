package postgres

import (
	"context"
	"errors"
	"math"

	"github.com/google/uuid"

	"lens/store"
)

// Nearest implements store.Reader.
//
// The server sees the query in halves and adds in 32 bits, so it may misorder rows that are very close
// to each other. Lens requests somewhat more than k rows, and more as long as an omitted row could be
// among the k best. A search by the vector index returns what the index finds.
func (s *Store) Nearest(
	ctx context.Context, query []float32, f store.Filter, k int,
) (found []store.Neighbor, err error) {
	q := s.newSearch(query, f, k)
	err = s.read(ctx, "nearest", func(c *conn) error {
		found, err = s.nearest(ctx, c, q)
		return err
	})
	return found, err
}

func (s *Store) nearest(ctx context.Context, c *conn, q search) (found []store.Neighbor, err error) {
	err = s.withView(ctx, c, q.query, len(q.filter.Meta) == 0, func(v *view, run stepRunner) error {
		scope, err := s.scopeOf(ctx, c, v.catalog, q.filter)
		if err != nil {
			return err
		}
		found, err = q.execute(ctx, v, scope, run)
		return err
	})
	return found, err
}

// withView calls fn with a view for query. If optimistic, it first tries the last view, and repeats
// the call with the present one if the archive has changed.
func (s *Store) withView(
	ctx context.Context, c *conn, query []float32, optimistic bool, fn func(v *view, run stepRunner) error,
) error {
	if v := s.view.Load(); optimistic && v != nil && v.check(query) == nil {
		err := fn(v, func(steps ...step) error { return c.runIfCurrent(ctx, v.searchPlan, steps) })
		if !errors.Is(err, errMoved) {
			return err
		}
	}
	return c.snapshot(ctx, func() error {
		v, err := s.viewIn(ctx, c)
		if err == nil {
			err = v.check(query)
		}
		if err != nil {
			return err
		}
		return fn(v, func(steps ...step) error { return c.runSequentially(ctx, steps) })
	})
}

// Similarities implements store.Reader.
func (s *Store) Similarities(
	ctx context.Context, query []float32, ords []store.Ord,
) (similarities []float64, err error) {
	err = s.read(ctx, "similarities", func(c *conn) error {
		return s.withView(ctx, c, query, true, func(v *view, run stepRunner) error {
			if err := run(); err != nil { // check the plan even if there is nothing to fetch
				return err
			}
			similarities, err = v.similarities(query, ords, run)
			return err
		})
	})
	return similarities, err
}

// similarities returns the inner products of query with the vectors of ords, NaN for turns without
// one. It fetches the vectors that are not cached.
func (v *view) similarities(query []float32, ords []store.Ord, run stepRunner) ([]float64, error) {
	products, missing, ordOf := make([]float64, len(ords)), []uuid.UUID(nil), make(map[uuid.UUID]store.Ord)
	for i, ord := range ords {
		products[i] = math.NaN()
		if halves, ok := v.vectors.Get(ord); ok {
			products[i] = similarity(query, halves)
		} else if row, alive := v.catalog.Row(ord); alive {
			id := v.catalog.ID[row]
			missing, ordOf[id] = append(missing, id), ord
		}
	}
	if len(missing) == 0 {
		return products, nil
	}
	fetched := make(map[store.Ord]float64, len(missing))
	err := run(tuneAmong(), step{sql: queries.Get("VectorsOf"), args: []any{v.gen, missing}, scan: func(r row) error {
		ord, halves := ordOf[r.id(0)], r.halves(1)
		fetched[ord] = similarity(query, halves)
		v.vectors.Add(ord, halves)
		return nil
	}})
	for i, ord := range ords {
		if product, ok := fetched[ord]; ok {
			products[i] = product
		}
	}
	return products, err
}
