package postgres

import (
	"context"
	"errors"
	"slices"

	"lens/store"
	"lens/store/failure"
)

// searchPlan is the state of the archive, as of one commit, that decides how vectors are searched.
type searchPlan struct {
	version int64 // moves with every change of a turn or a vector
	gen     store.GenerationID
	dim     int
	changed int64 // moves when a vector of the generation is replaced or removed
	indexed bool  // the generation has a usable vector index
	file    int64 // the table's file: while it stays, every vector keeps its place
}

// view is a searchPlan with its catalog, the fetched vectors and the tuple ids of compared vectors.
// The store keeps the last view. A search optimistically uses it and learns together with the result
// whether it is current.
type view struct {
	searchPlan
	catalog *store.Catalog
	vectors *vectorCache
	tuples  *tupleCache
}

// errMoved means that the archive has changed since the view was made.
var errMoved = errors.New("archive has changed")

// viewIn returns the view of the commit that c reads, and keeps it.
func (s *Store) viewIn(ctx context.Context, c *conn) (*view, error) {
	catalog, err := s.catalogIn(ctx, c)
	if err != nil {
		return nil, err
	}
	now, err := c.searchPlan(ctx)
	if err != nil {
		return nil, err
	}
	v := &view{now, catalog, newVectorCache(), new(tupleCache)}
	if last := s.view.Load(); last != nil && last.gen == now.gen && last.changed == now.changed {
		v.vectors = last.vectors
		if last.file == now.file {
			v.tuples = last.tuples
		}
	}
	s.view.Store(v)
	return v, nil
}

func (c *conn) searchPlan(ctx context.Context) (s searchPlan, err error) {
	err = c.each(ctx, "SearchPlan", nil, func(r row) error {
		s = r.searchPlan()
		return nil
	})
	return s, err
}

func (r row) searchPlan() searchPlan {
	return searchPlan{
		version: r.number(0),
		gen:     store.GenerationID(r.number(1)),
		dim:     r.int(2),
		changed: r.number(3),
		indexed: r.bool(4),
		file:    r.number(5),
	}
}

// check validates query. Errors: CodeNotFound if there are no vectors, those of store.CheckQuery.
func (s searchPlan) check(query []float32) error {
	if s.gen == 0 {
		return failure.NothingEmbedded("postgres: search")
	}
	return store.CheckQuery("postgres: search", query, s.dim)
}

// runIfCurrent runs steps in their own read transaction, in one round trip, or returns errMoved if p
// is no longer current. The check comes right before the last step, so that both are planned alike.
// Without steps it only checks.
func (c *conn) runIfCurrent(ctx context.Context, p searchPlan, steps []step) error {
	check := step{sql: queries.Get("SearchPlan"), scan: func(r row) error {
		if r.searchPlan() != p {
			return errMoved
		}
		return nil
	}}
	all := append([]step{{sql: beginSnapshot}}, slices.Insert(steps, max(0, len(steps)-1), check)...)
	return c.runBatch(ctx, append(all, step{sql: "COMMIT"}))
}
