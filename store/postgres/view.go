package postgres

import (
	"context"
	"errors"
	"slices"

	"lens/store"
)

// searchPlan is what decides how vectors are searched, as of one commit.
type searchPlan struct {
	version int64 // the counter: as long as it stands still, no turn and no vector comes, changes or goes
	gen     store.GenerationID
	dim     int
	changed int64 // as long as it stands still, no vector of the generation is replaced or removed
	indexed bool  // the generation has a vector index that can be used
	file    int64 // that the vectors are in: as long as it is this one, none lies elsewhere
}

// view is a searchPlan with its catalog, the vectors that were fetched in it and the places of those that were compared. The last one is
// kept: a search is sent on the guess that it still holds, which the server tells together with the answer.
type view struct {
	searchPlan
	catalog *store.Catalog
	vectors *vectorCache
	tuples  *tupleCache
}

// errMoved says that the archive is not as it was guessed to be.
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
	v := &view{now, catalog, new(vectorCache), new(tupleCache)}
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
		version: r.number(0), gen: store.GenerationID(r.number(1)), dim: r.int(2), changed: r.number(3), indexed: r.bool(4), file: r.number(5),
	}
}

// check returns an error unless query can be asked. Errors: CodeNotFound where there are no vectors, those of store.CheckQuery.
func (s searchPlan) check(query []float32) error {
	if s.gen == 0 {
		return &store.Error{
			Code: store.CodeNotFound, Op: "postgres: search", Message: "the archive has no vectors yet",
			Hint: "Embed it first, or search by keywords.",
		}
	}
	return store.CheckQuery("postgres: search", query, s.dim)
}

// guess runs steps in a read transaction of their own, in one round trip; errMoved where the searchPlan in it is another. That is asked
// right before the last of them, so that it is planned as that one is. No steps: only that is asked.
func (c *conn) runIfCurrent(ctx context.Context, s searchPlan, steps []step) error {
	check := step{sql: queries.Get("SearchPlan"), scan: func(r row) error {
		if r.searchPlan() != s {
			return errMoved
		}
		return nil
	}}
	all := append([]step{{sql: beginSnapshot}}, slices.Insert(steps, max(0, len(steps)-1), check)...)
	return c.runBatch(ctx, append(all, step{sql: "COMMIT"}))
}
