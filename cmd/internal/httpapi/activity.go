package httpapi

import (
	"net/http"

	"lens/retrieval"
	"lens/retrieval/query"
)

var activityParameters = append(filters(query.ActivityFilters(), filterOf),
	binWidth(func(q *query.Query) *string { return &q.Bin }))

func (s searchRoutes) activity(r *http.Request, in query.Query) (*retrieval.Activity, error) {
	if err := in.Filter.Validate(in); err != nil {
		return nil, err
	}
	engine, err := s.engine(r.Context())
	if err != nil {
		return nil, err
	}
	return engine.Activity(r.Context(), in)
}
