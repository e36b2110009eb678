package postgres

import (
	"context"

	"github.com/jackc/pgx/v5/pgtype"

	"lens/store"
)

// bySigns compares the query with those vectors whose signs say that they may be near. Errors: errUnsketched.
func (q search) bySigns(ctx context.Context, v *view, scope *store.Scope, ask ask) ([]store.Neighbor, error) {
	k := q.sketchOf(v)
	if k == nil {
		return nil, errUnsketched
	}
	keep, missing := k.split(v.catalog, scope)
	switch {
	case k.as.version == v.version: // who is missing has no vector
		missing = nil
	case len(missing) > mostMissing:
		return nil, errUnsketched
	}
	compare := func(ords []store.Ord) ([]float64, error) { return q.at(k.places.get(ords), ask) }
	return q.exactly(v, ask, func(limit int) ([]store.Neighbor, error) {
		seen, err := k.Search(ctx, q.query, keep, limit, compare)
		if err != nil || len(missing) == 0 {
			return seen, err
		}
		more, err := q.amongPlaces(v, scope, nil, missing, limit, ask)
		return nearest(append(seen, more...), limit), err
	})
}

// at returns the server's similarities of the vectors at some places. Errors: errUnsketched where one is no longer there.
func (q search) at(places pgtype.FlatArray[pgtype.TID], ask ask) ([]float64, error) {
	found := make(map[pgtype.TID]float64, len(places))
	err := ask(tuneAmong(), step{sql: queries.Get("CompareAt"), args: []any{q.half, places}, scan: func(r row) error {
		found[r.place(0)] = -r.float(1)
		return nil
	}})
	similarities := make([]float64, len(places))
	for i, place := range places {
		similarity, there := found[place]
		if similarities[i] = similarity; !there && err == nil {
			return nil, errUnsketched
		}
	}
	return similarities, err
}
