package httpapi

import (
	"net/http"
	"time"

	"lens/retrieval"
)

var activityParameters = []parameter[retrieval.ActivityOptions]{
	timestamp("start_time", "Turns from this time on.", func(o *retrieval.ActivityOptions) *time.Time { return &o.Since }),
	timestamp("end_time", "Turns before this time.", func(o *retrieval.ActivityOptions) *time.Time { return &o.Until }),
	binWidth(func(o *retrieval.ActivityOptions) *string { return &o.Bin }),
}

func (s searchRoutes) activity(r *http.Request, in retrieval.ActivityOptions) (*retrieval.Activity, error) {
	engine, err := s.engine(r.Context())
	if err != nil {
		return nil, err
	}
	return engine.Activity(r.Context(), in)
}
