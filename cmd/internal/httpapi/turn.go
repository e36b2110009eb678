package httpapi

import (
	"net/http"

	"github.com/google/jsonschema-go/jsonschema"

	"lens/retrieval"
)

func (s *Server) turnRoute() route {
	return route{
		method: http.MethodGet, path: "/retrieval/turn/{turn_id}", handle: s.turn,
		summary: "Read one turn in full",
		parameters: []openAPIParameter{{
			"turn_id", "path", true, "The ID of a turn, or a unique prefix.", &jsonschema.Schema{Type: "string"},
		}},
		replies:  okReply("The turn.", retrieval.Turn{}),
		problems: archiveProblems,
	}
}

func (s *Server) turn(w http.ResponseWriter, r *http.Request) error {
	if err := noQuery(r); err != nil {
		return err
	}
	engine, err := s.engine(r.Context())
	if err != nil {
		return err
	}
	turn, err := engine.Turn(r.Context(), r.PathValue("turn_id"))
	if err != nil {
		return err
	}
	return send(w, http.StatusOK, turn)
}

// noQuery refuses query parameters.
func noQuery(r *http.Request) error {
	_, err := readQuery[struct{}](r, nil)
	return err
}
