package httpapi

import (
	"bytes"
	"context"
	"net/http"
	"time"
)

// statusRoutes are for the programs that watch the server.
type statusRoutes struct {
	ready    func(ctx context.Context) error
	stopping context.Context // done at shutdown
	metrics  *metrics
}

// state is the body of health and readiness.
type state struct {
	Status string `json:"status"`
}

func (s statusRoutes) routes() []route {
	return []route{
		{
			method: http.MethodGet, path: "/healthz", open: true, summary: "Liveness",
			replies: okReply("The server is running.", state{}),
			handle:  fromQuery(nil, func(*http.Request, nothing) (state, error) { return state{"ok"}, nil }),
		},
		{
			method: http.MethodGet, path: "/readyz", open: true, summary: "Readiness of the archive or published index",
			replies:  okReply("The server is ready.", state{}),
			problems: archiveProblems,
			handle:   fromQuery(nil, s.readiness),
		},
		{
			method: http.MethodGet, path: "/metrics", summary: "Metrics for Prometheus",
			replies: []reply{{http.StatusOK, kindMetrics, "Prometheus' text format.", nil}},
			handle:  s.writeMetrics,
		},
	}
}

// readyTimeout bounds a readiness check.
const readyTimeout = 2 * time.Second

func (s statusRoutes) readiness(r *http.Request, _ nothing) (state, error) {
	if s.stopping.Err() != nil {
		return state{}, &problem{Code: codeUnavailable, Message: "The server is shutting down."}
	}
	ctx, cancel := context.WithTimeout(r.Context(), readyTimeout)
	defer cancel()
	return state{"ready"}, s.ready(ctx)
}

func (s statusRoutes) writeMetrics(w http.ResponseWriter, r *http.Request) error {
	if err := noQuery(r); err != nil {
		return err
	}
	var text bytes.Buffer
	s.metrics.write(&text)
	return sendText(w, http.StatusOK, kindMetrics, text.Bytes())
}
