package httpapi

import (
	"net/http"
	"slices"

	"lens/retrieval"
	"lens/retrieval/query"
)

// compareRequest holds the parameters of a comparison: the texts of its queries, and all else that they share.
type compareRequest struct {
	texts []string
	query.Query
}

var compareParameters = slices.Concat(
	[]parameter[compareRequest]{
		requireParameter(atMost(retrieval.MaxCompared, texts("query",
			"What to search for, taken literally; at most 8 KiB. Repeat it for up to 10 queries.",
			func(r *compareRequest) *[]string { return &r.texts }))),
		integer("top_k", "Number of matches of each query in the histograms.", 1, query.MaxTopK, query.MaxTopK,
			func(r *compareRequest, n int) { r.TopK = &n }),
		integer("top_n_snippets", "Number of matches of each query returned with snippets.", 0, query.MaxSnippets, 1,
			func(r *compareRequest, n int) { r.Snippets = &n }),
		binWidth(func(r *compareRequest) *string { return &r.Bin }),
		choice("mode", "keyword ranks by words, dense by meaning, hybrid by both; auto chooses.", query.Modes,
			func(r *compareRequest) *query.Mode { return &r.Mode }),
	},
	filters(query.Filters, func(r *compareRequest) *query.Filter { return &r.Filter }),
)

func (s searchRoutes) compare(r *http.Request, in compareRequest) (*retrieval.Comparison, error) {
	if in.TopK == nil {
		in.TopK = new(query.MaxTopK)
	}
	if in.Snippets == nil {
		in.Snippets = new(1)
	}
	queries := make([]query.Query, len(in.texts))
	for i, text := range in.texts {
		queries[i] = in.Query
		queries[i].Text = text
		if err := queries[i].Validate(); err != nil {
			return nil, err
		}
	}
	engine, err := s.engine(r.Context())
	if err != nil {
		return nil, err
	}
	return engine.Compare(r.Context(), queries)
}
