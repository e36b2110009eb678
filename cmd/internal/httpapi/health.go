package httpapi

import (
	"context"
	"net/http"
	"time"
)

// state is the body of health and readiness.
type state struct {
	Status string `json:"status"`
}

func (s *Server) healthRoute() route {
	return route{
		method: http.MethodGet, path: "/healthz", open: true, summary: "Liveness",
		replies: okReply("The server is running.", state{}),
		handle: func(w http.ResponseWriter, r *http.Request) error {
			if err := noQuery(r); err != nil {
				return err
			}
			return send(w, http.StatusOK, state{"ok"})
		},
	}
}

func (s *Server) readyRoute() route {
	return route{
		method: http.MethodGet, path: "/readyz", open: true, summary: "Readiness of the archive or published index",
		replies:  okReply("The server is ready.", state{}),
		problems: archiveProblems,
		handle:   s.ready,
	}
}

// readyTimeout bounds a readiness check.
const readyTimeout = 2 * time.Second

func (s *Server) ready(w http.ResponseWriter, r *http.Request) error {
	if err := noQuery(r); err != nil {
		return err
	}
	if s.stopping.Err() != nil {
		return &problem{Code: codeUnavailable, Message: "The server is shutting down."}
	}
	ctx, cancel := context.WithTimeout(r.Context(), readyTimeout)
	defer cancel()
	if err := s.opts.Ready(ctx); err != nil {
		return err
	}
	return send(w, http.StatusOK, state{"ready"})
}
