package httpapi

import (
	"errors"
	"net/http"
	"time"

	"github.com/google/uuid"

	"lens/retrieval"
	"lens/retrieval/query"
	"lens/retrieval/timebin"
)

var peekParameters = []parameter[query.Query]{
	searched("What to search for, at most 8 KiB.", func(q *query.Query) *string { return &q.Text }),
	integer("top_k", "Number of matches in the histogram.", 1, query.MaxTopK, query.DefaultTopK,
		func(q *query.Query, n int) { q.TopK = &n }),
	timestamp("start_time", "Turns from this time on.", func(q *query.Query) *time.Time { return &q.Filter.Since }),
	timestamp("end_time", "Turns before this time.", func(q *query.Query) *time.Time { return &q.Filter.Until }),
	binWidth(func(q *query.Query) *string { return &q.Bin }),
	identifier("conversation_id", "Turns of this conversation only.",
		func(q *query.Query, id uuid.UUID) { q.Filter.Conversations.In = []uuid.UUID{id} }),
	integer("top_n_snippets", "Number of matches returned with snippets.",
		0, query.MaxSnippets, query.DefaultSnippets, func(q *query.Query, n int) { q.Snippets = &n }),
	choice("mode", "keyword ranks by words, dense by meaning, hybrid by both; auto chooses.", query.Modes,
		func(q *query.Query) *query.Mode { return &q.Mode }),
	flag("all_branches", "Include abandoned branches: turns that were edited or retried.",
		func(q *query.Query) *bool { return &q.Filter.Branches }),
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

// searched is the required parameter query.
func searched[T any](doc string, at func(*T) *string) parameter[T] {
	p := text("query", doc, at)
	p.Required = true
	return p
}

func (s searchRoutes) peek(r *http.Request, in query.Query) (*retrieval.Peek, error) {
	engine, err := s.engine(r.Context())
	if err != nil {
		return nil, err
	}
	return engine.Peek(r.Context(), in)
}
