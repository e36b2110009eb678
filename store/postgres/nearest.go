package postgres

import (
	"context"
	"errors"
	"math"

	"lens/store"
)

// Nearest implements store.Reader.
//
// The server knows the query only in halves, and adds up in 32 bits; so its order is right but for rows that are very close to each
// other. It is asked for some more than k, and for more still as long as one that it left out could be among the k best. Only a
// search by the vector index is content with what it finds.
func (s *Store) Nearest(ctx context.Context, query []float32, f store.Filter, k int) (found []store.Neighbour, err error) {
	q := newSearch(query, f, k, s.least)
	err = s.read(ctx, "nearest", func(c *conn) error {
		found, err = s.nearest(ctx, c, q)
		return err
	})
	return found, err
}

func (s *Store) nearest(ctx context.Context, c *conn, q search) (found []store.Neighbour, err error) {
	if v := s.view.Load(); v != nil && v.check(q.query) == nil && len(q.filter.Meta) == 0 {
		scope := v.catalog.Scope(q.filter, nil)
		found, err = q.in(v, scope, func(steps ...step) error { return c.guess(ctx, v.situation, steps) })
		if !errors.Is(err, errMoved) {
			return found, err
		}
	}
	err = c.snapshot(ctx, func() error {
		v, err := s.viewIn(ctx, c)
		if err != nil {
			return err
		}
		scope, err := s.scopeOf(ctx, c, v.catalog, q.filter)
		if err != nil {
			return err
		}
		found, err = q.in(v, scope, func(steps ...step) error { return c.inTurn(ctx, steps) })
		return err
	})
	return found, err
}

// Similarities implements store.Reader.
func (s *Store) Similarities(ctx context.Context, query []float32, ords []store.Ord) (similarities []float64, err error) {
	err = s.snapshot(ctx, "similarities", func(c *conn) error {
		v, err := c.situation(ctx)
		if err == nil {
			err = v.check(query)
		}
		if err != nil {
			return err
		}
		known, err := c.similarities(ctx, v.gen, query, ords)
		if err != nil {
			return err
		}
		similarities = make([]float64, len(ords))
		for i, ord := range ords {
			similarity, there := known[ord]
			if !there {
				similarity = math.NaN()
			}
			similarities[i] = similarity
		}
		return nil
	})
	return similarities, err
}

func (c *conn) similarities(ctx context.Context, g store.GenerationID, query []float32, ords []store.Ord) (map[store.Ord]float64, error) {
	wanted := make([]int64, len(ords))
	for i, ord := range ords {
		wanted[i] = int64(ord)
	}
	var halves []uint16
	known := make(map[store.Ord]float64, len(ords))
	err := c.each(ctx, "VectorsByOrd", []any{g, wanted}, func(r row) error {
		known[store.Ord(r.number(0))], halves = r.similarity(query, 1, halves)
		return nil
	})
	return known, err
}
