package httpapi

import (
	"net/http"
	"time"

	"github.com/google/uuid"

	"lens/retrieval"
)

// peekRequest is what a peek is asked with.
type peekRequest struct {
	query string
	retrieval.PeekOptions
}

var modes = []retrieval.Mode{retrieval.Auto, retrieval.Dense, retrieval.Hybrid, retrieval.Keyword}

var peekParameters = []parameter[peekRequest]{
	query("What is sought, at most 8 KiB.", func(p *peekRequest) *string { return &p.query }),
	integer("top_k", "How many turns are found and counted.", 1, retrieval.MaxTopK, retrieval.DefaultTopK,
		func(p *peekRequest, n int) { p.TopK = n }),
	moment("start_time", "Turns from this time on.", func(p *peekRequest) *time.Time { return &p.Since }),
	moment("end_time", "Turns before this time.", func(p *peekRequest) *time.Time { return &p.Until }),
	width(func(p *peekRequest) *string { return &p.Bin }),
	identifier("conversation_id", "Turns of this conversation only.", func(p *peekRequest) *uuid.UUID { return &p.Conversation }),
	integer("top_n_snippets", "How many of the turns are listed.", 0, retrieval.MaxSnippets, retrieval.DefaultSnippets, setSnippets),
	choice("mode", "Way of ranking.", modes, func(p *peekRequest) *retrieval.Mode { return &p.Mode }),
	flag("all_branches", "Also turns that were edited away or retried.", func(p *peekRequest) *bool { return &p.AllBranches }),
}

// width is the parameter bin, which the engine reads.
func width[T any](at func(*T) *string) parameter[T] {
	return text("bin", "Width of a bin, in UTC: auto, hour, day, week, month, quarter, year, or several hours or days, such as 6h or 3d.", at)
}

// query is the parameter of that name, which must be given.
func query[T any](doc string, at func(*T) *string) parameter[T] {
	p := text("query", doc, at)
	p.Required = true
	return p
}

// setSnippets sets how many matches are listed. For retrieval, 0 means the default.
func setSnippets(p *peekRequest, n int) {
	if p.Snippets = n; n == 0 {
		p.Snippets = -1
	}
}

func (s *Server) peekRoute() route {
	return route{
		method: http.MethodGet, path: "/retrieval/peek", handle: s.peek,
		summary:    "The turns nearest to a query, and when they were",
		parameters: descriptions(peekParameters),
		replies:    answers("What was found.", retrieval.Peek{}),
		problems:   append([]string{codeDimension, codeTooLarge}, ofArchive...),
	}
}

func (s *Server) peek(w http.ResponseWriter, r *http.Request) error {
	ask, err := readQuery(r, peekParameters)
	if err != nil {
		return err
	}
	archive, err := s.archive(r.Context())
	if err != nil {
		return err
	}
	found, err := archive.Peek(r.Context(), ask.query, ask.PeekOptions)
	if err != nil {
		return err
	}
	return send(w, http.StatusOK, found)
}
