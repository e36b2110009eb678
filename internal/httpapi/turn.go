package httpapi

import (
	"net/http"

	"github.com/google/jsonschema-go/jsonschema"

	"lens/retrieval"
)

func (s *Server) turnRoute() route {
	return route{
		method: http.MethodGet, path: "/retrieval/turn/{turn_id}", handle: s.turn,
		summary: "One turn in full",
		parameters: []described{{
			"turn_id", "path", true, "The id of a turn, or the beginning of one, as long as no other begins so.", &jsonschema.Schema{Type: "string"},
		}},
		replies:  answers("The turn.", retrieval.Turn{}),
		problems: ofArchive,
	}
}

func (s *Server) turn(w http.ResponseWriter, r *http.Request) error {
	if err := noQuery(r); err != nil {
		return err
	}
	archive, err := s.archive(r.Context())
	if err != nil {
		return err
	}
	turn, err := archive.Turn(r.Context(), r.PathValue("turn_id"))
	if err != nil {
		return err
	}
	return send(w, http.StatusOK, turn)
}

// noQuery refuses parameters where none are taken.
func noQuery(r *http.Request) error {
	_, err := readQuery[struct{}](r, nil)
	return err
}
