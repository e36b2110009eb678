package httpapi

import (
	"errors"
	"net/http"
	"slices"

	"lens/retrieval"
	"lens/retrieval/query"
	"lens/retrieval/timebin"
)

var peekParameters = slices.Concat(
	[]parameter[query.Query]{
		text("query", "What to search for, taken literally; at most 8 KiB. May be absent if there is a phrase, a filter or "+
			"something to leave out.", func(q *query.Query) *string { return &q.Text }),
		texts("phrase", "Turns with exactly these words in this order. Repeatable.",
			func(q *query.Query) *[]string { return &q.Phrases }),
		texts("without", "Leaves out turns with this word or phrase. Repeatable.",
			func(q *query.Query) *[]string { return &q.Without }),
		like,
	},
	filters(query.Filters, filterOf),
	[]parameter[query.Query]{
		integer("top_k", "Number of matches in the histogram. The occurrences count all turns with all words of the query.",
			1, query.MaxTopK, query.DefaultTopK,
			func(q *query.Query, n int) { q.TopK = &n }),
		integer("top_n_snippets", "Number of matches returned with snippets.",
			0, query.MaxSnippets, query.DefaultSnippets, func(q *query.Query, n int) { q.Snippets = &n }),
		binWidth(func(q *query.Query) *string { return &q.Bin }),
		choice("mode", "keyword ranks by words, dense by meaning, hybrid by both; auto chooses.", query.Modes,
			func(q *query.Query) *query.Mode { return &q.Mode }),
		choice("dates", "soft ranks turns near a date that the query names higher, unless start_time or end_time is given; "+
			"off takes it as words only.", query.DateModes, func(q *query.Query) *query.Dates { return &q.Dates }),
		flag("explain", "Adds to each match the weighted features that its score is the sum of. Not in dense mode.",
			func(q *query.Query) *bool { return &q.Explain }),
	},
)

// like is the parameter with the turn that matches resemble.
var like = text("like", "The ID of a turn, or a unique prefix: finds similar turns instead of a query.",
	func(q *query.Query) *string { return &q.Like })

// binWidth is the parameter bin.
func binWidth[T any](at func(*T) *string) parameter[T] {
	doc := "Bin width in UTC: auto, hour, day, week, month, quarter, half, year, or several such as 15min, 6h, 3d, " +
		"2w, 2mo or 5y."
	p := text("bin", doc, at)
	read := p.read
	p.read = func(into *T, text string) error {
		if _, err := timebin.Parse(text); err != nil {
			return errors.New("is not a bin width: use hour, day, week, month, quarter, half, year, auto, " +
				"or several: 15min, 3d, 2mo")
		}
		return read(into, text)
	}
	return p
}

func (s searchRoutes) peek(r *http.Request, in query.Query) (*retrieval.Peek, error) {
	if err := in.Validate(); err != nil {
		return nil, err
	}
	engine, err := s.engine(r.Context())
	if err != nil {
		return nil, err
	}
	return engine.Peek(r.Context(), in)
}
