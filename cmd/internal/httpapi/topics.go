package httpapi

import (
	"net/http"
	"time"

	"lens/retrieval"
	"lens/retrieval/query"
)

var topicsParameters = append(filters(query.WindowFilters(), filterOf),
	binWidth(func(q *query.Query) *string { return &q.Bin }))

func (s searchRoutes) topics(r *http.Request, in query.Query) (*retrieval.Topics, error) {
	if err := in.Filter.Validate(in); err != nil {
		return nil, err
	}
	engine, err := s.engine(r.Context())
	if err != nil {
		return nil, err
	}
	return engine.Topics(r.Context(), in)
}

// aboutRequest says what time is asked about.
type aboutRequest struct{ when string }

var aboutParameters = []parameter[aboutRequest]{
	requireParameter(text("when", "A time as people type it, in UTC: 2024, 2024-Q2, 2024-05, 2024-05-03, last 90d, "+
		"last summer, or a range such as 2024-05..2024-07.", func(in *aboutRequest) *string { return &in.when })),
}

func (s searchRoutes) about(r *http.Request, in aboutRequest) (*retrieval.About, error) {
	engine, err := s.engine(r.Context())
	if err != nil {
		return nil, err
	}
	window, err := engine.WindowNamed(r.Context(), in.when, time.Now())
	if err != nil {
		return nil, err
	}
	return engine.About(r.Context(), window)
}
