package httpapi

import (
	"errors"
	"net/http"
	"time"

	"github.com/google/uuid"

	"lens/retrieval"
	"lens/retrieval/timebin"
)

// peekRequest holds the parameters of a peek.
type peekRequest struct {
	query string
	retrieval.PeekOptions
}

var modes = []retrieval.Mode{retrieval.Auto, retrieval.Dense, retrieval.Hybrid, retrieval.Keyword}

var peekParameters = []parameter[peekRequest]{
	requireParameter(text("query", "What to search for, at most 8 KiB.",
		func(p *peekRequest) *string { return &p.query })),
	integer("top_k", "Number of matches in the histogram.", 1, retrieval.MaxTopK, retrieval.DefaultTopK,
		func(p *peekRequest, n int) { p.TopK = n }),
	timestamp("start_time", "Turns from this time on.", func(p *peekRequest) *time.Time { return &p.Since }),
	timestamp("end_time", "Turns before this time.", func(p *peekRequest) *time.Time { return &p.Until }),
	binWidth(func(p *peekRequest) *string { return &p.Bin }),
	identifier("conversation_id", "Turns of this conversation only.",
		func(p *peekRequest) *uuid.UUID { return &p.Conversation }),
	integer("top_n_snippets", "Number of matches returned with snippets.",
		0, retrieval.MaxSnippets, retrieval.DefaultSnippets, setSnippets),
	choice("mode", "keyword ranks by words, dense by meaning, hybrid by both; auto chooses.", modes,
		func(p *peekRequest) *retrieval.Mode { return &p.Mode }),
	flag("all_branches", "Include abandoned branches: turns that were edited or retried.",
		func(p *peekRequest) *bool { return &p.AllBranches }),
}

// binWidth is the parameter bin.
func binWidth[T any](at func(*T) *string) parameter[T] {
	doc := "Bin width in UTC: auto, hour, day, week, month, quarter, year, or hours or days such as 6h or 3d."
	p := text("bin", doc, at)
	read := p.read
	p.read = func(into *T, text string) error {
		if _, err := timebin.Parse(text); err != nil {
			return errors.New("is not a bin width: use hour, day, week, month, quarter, year, auto, or a multiple such as 3d")
		}
		return read(into, text)
	}
	return p
}

// setSnippets sets the number of snippets. The engine takes 0 for the default, so 0 becomes -1.
func setSnippets(p *peekRequest, n int) {
	if p.Snippets = n; n == 0 {
		p.Snippets = -1
	}
}

func (s searchRoutes) peek(r *http.Request, in peekRequest) (*retrieval.Peek, error) {
	engine, err := s.engine(r.Context())
	if err != nil {
		return nil, err
	}
	return engine.Peek(r.Context(), in.query, in.PeekOptions)
}
