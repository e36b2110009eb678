package httpapi

import (
	"net/http"
	"time"

	"lens/retrieval"
)

var activityParameters = []parameter[retrieval.ActivityOptions]{
	moment("start_time", "Turns from this time on.", func(o *retrieval.ActivityOptions) *time.Time { return &o.Since }),
	moment("end_time", "Turns before this time.", func(o *retrieval.ActivityOptions) *time.Time { return &o.Until }),
	width(func(o *retrieval.ActivityOptions) *string { return &o.Bin }),
}

func (s *Server) activityRoute() route {
	return route{
		method: http.MethodGet, path: "/retrieval/activity", handle: s.activity,
		summary:    "All turns over time",
		parameters: descriptions(activityParameters),
		replies:    answers("The histogram.", retrieval.ActivityBody{}),
		problems:   ofArchive,
	}
}

func (s *Server) activity(w http.ResponseWriter, r *http.Request) error {
	opts, err := readQuery(r, activityParameters)
	if err != nil {
		return err
	}
	archive, err := s.archive(r.Context())
	if err != nil {
		return err
	}
	activity, err := archive.Activity(r.Context(), opts)
	if err != nil {
		return err
	}
	return send(w, http.StatusOK, activity)
}
