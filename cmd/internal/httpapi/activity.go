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

func (s *Server) activityRoute() route {
	return route{
		method: http.MethodGet, path: "/retrieval/activity", handle: s.activity,
		summary:    "All turns over time",
		parameters: openAPIParameters(activityParameters),
		replies:    okReply("The histogram.", retrieval.ActivityBody{}),
		problems:   archiveProblems,
	}
}

func (s *Server) activity(w http.ResponseWriter, r *http.Request) error {
	opts, err := readQuery(r, activityParameters)
	if err != nil {
		return err
	}
	engine, err := s.engine(r.Context())
	if err != nil {
		return err
	}
	activity, err := engine.Activity(r.Context(), opts)
	if err != nil {
		return err
	}
	return send(w, http.StatusOK, activity)
}
