package postgres

import (
	"context"

	"github.com/jackc/pgx/v5/pgtype"

	"lens/store"
)

// bySigns compares the query with the vectors that their signs select. Errors: errNoSketch.
func (q search) bySigns(ctx context.Context, v *view, scope *store.Scope, run stepRunner) ([]store.Neighbor, error) {
	k := q.sketchOf(v)
	if k == nil {
		return nil, errNoSketch
	}
	keep, missing := k.split(v.catalog, scope)
	switch {
	case k.plan.version == v.version: // a missing turn has no vector
		missing = nil
	case len(missing) > maxMissingTurns:
		return nil, errNoSketch
	}
	compare := func(ords []store.Ord) ([]float64, error) { return q.similaritiesAt(k.tuples.get(ords), run) }
	return q.fetchExact(v, run, func(limit int) ([]store.Neighbor, error) {
		seen, err := k.Search(ctx, q.query, keep, limit, compare)
		if err != nil || len(missing) == 0 {
			return seen, err
		}
		more, err := q.amongTuples(v, scope, nil, missing, limit, run)
		return nearest(append(seen, more...), limit), err
	})
}

// similaritiesAt returns the server's similarities of the vectors at the given tuple ids. Errors:
// errNoSketch if a tuple no longer exists.
func (q search) similaritiesAt(places pgtype.FlatArray[pgtype.TID], run stepRunner) ([]float64, error) {
	found := make(map[pgtype.TID]float64, len(places))
	err := run(tuneAmong(), step{sql: queries.Get("CompareAt"), args: []any{q.half, places}, scan: func(r row) error {
		found[r.tid(0)] = -r.float(1)
		return nil
	}})
	similarities := make([]float64, len(places))
	for i, place := range places {
		similarity, there := found[place]
		if similarities[i] = similarity; !there && err == nil {
			return nil, errNoSketch
		}
	}
	return similarities, err
}
