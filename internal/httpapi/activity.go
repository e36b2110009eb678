package httpapi

import (
	"net/http"
	"time"

	"lens/retrieval"
)

var activityParameters = []parameter[retrieval.ActivityOptions]{
	moment("start_time", "Turns from this time on.", func(o *retrieval.ActivityOptions) *time.Time { return &o.Since }),
	moment("end_time", "Turns before this time.", func(o *retrieval.ActivityOptions) *time.Time { return &o.Until }),
	text("bin", binText, func(o *retrieval.ActivityOptions) *string { return &o.Bin }),
}

func (s *Server) activityRoute() route {
	return route{
		method: http.MethodGet, path: "/retrieval/activity", handle: s.activity,
		summary:    "All turns over time",
		parameters: descriptions(activityParameters),
		replies:    answers("The histogram.", activityBody{}),
		problems:   ofArchive,
	}
}

// activityBody is how a retrieval.Activity writes itself, for its schema.
type activityBody struct {
	Histogram struct {
		Bin     string `json:"bin"`
		Buckets []struct {
			Start time.Time `json:"start"`
			End   time.Time `json:"end"`
			Count int       `json:"count"`
		} `json:"buckets"`
		Total   int `json:"total"`
		Undated int `json:"undated"`
	} `json:"histogram"`
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
