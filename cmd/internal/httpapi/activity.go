package httpapi

import (
	"net/http"
	"time"

	"lens/retrieval"
	"lens/retrieval/query"
)

var activityParameters = []parameter[query.Query]{
	timestamp("start_time", "Turns from this time on.", func(o *query.Query) *time.Time { return &o.Filter.Since }),
	timestamp("end_time", "Turns before this time.", func(o *query.Query) *time.Time { return &o.Filter.Until }),
	binWidth(func(o *query.Query) *string { return &o.Bin }),
}

func (s searchRoutes) activity(r *http.Request, in query.Query) (*retrieval.Activity, error) {
	engine, err := s.engine(r.Context())
	if err != nil {
		return nil, err
	}
	return engine.Activity(r.Context(), in)
}
