package httpapi

import (
	"context"
	"net/http"
	"time"
)

// state is what health and readiness answer.
type state struct {
	Status string `json:"status"`
}

func (s *Server) healthRoute() route {
	return route{
		method: http.MethodGet, path: "/healthz", open: true, summary: "Whether the server runs",
		replies: answers("It runs.", state{}),
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
		method: http.MethodGet, path: "/readyz", open: true, summary: "Whether what is served, an archive or a published index, can be asked",
		replies:  answers("It can.", state{}),
		problems: ofArchive,
		handle:   s.ready,
	}
}

// patience is how long who asks whether the server is ready must wait for a no.
const patience = 2 * time.Second

func (s *Server) ready(w http.ResponseWriter, r *http.Request) error {
	if err := noQuery(r); err != nil {
		return err
	}
	if s.stopping.Err() != nil {
		return &problem{Code: codeUnavailable, Message: "The server is about to end."}
	}
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	if err := s.opts.Ready(ctx); err != nil {
		return err
	}
	return send(w, http.StatusOK, state{"ready"})
}
