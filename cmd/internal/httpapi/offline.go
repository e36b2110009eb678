package httpapi

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"lens/retrieval/offline"
)

// Offline is the offline retriever.
type Offline interface {
	Search(ctx context.Context, query string, opts offline.SearchOptions) (*offline.Found, error)
	Answer(ctx context.Context, hits []offline.Hit, prompt string, opts offline.AnswerOptions) (*offline.Answer, error)
}

// searchBody is the body of /search.
type searchBody struct {
	Query    string        `json:"query"`
	K        *int          `json:"k,omitempty"`        // 1..100; default 8
	Security offline.Level `json:"security,omitempty"` // default standard
}

// rerankBody is the body of /rerank.
type rerankBody struct {
	Hits     []offline.Hit `json:"hits"`
	Security offline.Level `json:"security,omitempty"`
}

// rerankedBody has at most four hits.
type rerankedBody struct {
	Hits []offline.Hit `json:"hits"`
}

// answerFromBody is the body of /answer.
type answerFromBody struct {
	Hits     []offline.Hit `json:"hits"`
	Prompt   string        `json:"prompt"`
	Security offline.Level `json:"security,omitempty"`
	QID      string        `json:"qid,omitempty"` // of the search that found the hits
}

// maxHits bounds the hits of a body.
const maxHits = offline.MaxK

// refine implements refiner.
func (searchBody) refine(s *jsonschema.Schema) {
	s.Properties["query"].MinLength = jsonschema.Ptr(1)
	k := s.Properties["k"]
	k.Type, k.Types = "integer", nil
	k.Minimum, k.Maximum = jsonschema.Ptr(1.0), jsonschema.Ptr(float64(offline.MaxK))
	k.Default = fmt.Appendf(nil, "%d", offline.DefaultK)
}

// refine implements refiner. The order depends on these members, and on no other.
func (rerankBody) refine(s *jsonschema.Schema) {
	requireList(s, "hits", 0, maxHits).Required = []string{"chunk_id", "modified_time", "ann_score", "keyword_score"}
}

// refine implements refiner. All else about a hit is read again.
func (answerFromBody) refine(s *jsonschema.Schema) {
	s.Properties["prompt"].MinLength = jsonschema.Ptr(1)
	requireList(s, "hits", 0, offline.MaxAnswerHits).Required = []string{"chunk_id"}
}

// offlineProblems are the codes of routes that decide whether to answer.
var offlineProblems = []string{codeNotFound, codeBlocked, codeLocked, codeDimension, codeUnavailable}

// offlineRoutes search and answer without the network.
type offlineRoutes struct {
	retriever Offline // nil: none
}

func (s offlineRoutes) routes() []route {
	return []route{
		{
			method: http.MethodPost, path: "/search", handle: fromBody(http.StatusOK, s.search),
			summary: "Search offline: nothing leaves the machine",
			body:    searchBody{}, replies: okReply("The hits, best first, and the audited decision.", offline.Found{}),
			problems: offlineProblems,
		},
		{
			method: http.MethodPost, path: "/rerank", handle: fromBody(http.StatusOK, rerank),
			summary: "Rerank hits and keep the best four",
			body:    rerankBody{}, replies: okReply("The hits, best first.", rerankedBody{}),
		},
		{
			method: http.MethodPost, path: "/answer", handle: fromBody(http.StatusOK, s.answer),
			summary: "Answer offline from hits: nothing leaves the machine",
			body:    answerFromBody{}, replies: okReply("The answer and its citations.", offline.Answer{}),
			problems: offlineProblems,
		},
	}
}

var errNoOffline = &problem{Code: codeUnavailable, Message: "This server has no offline retriever."}

func (s offlineRoutes) search(r *http.Request, in searchBody) (*offline.Found, error) {
	if s.retriever == nil {
		return nil, errNoOffline
	}
	opts := offline.SearchOptions{Level: in.Security}
	if in.K != nil {
		if opts.K = *in.K; opts.K == 0 { // which means the default to Search
			return nil, invalid("k is 0, must be 1 to 100.")
		}
	}
	return s.retriever.Search(r.Context(), in.Query, opts)
}

// rerank only computes with what the client sent. It reads nothing from the archive, so nothing needs to be decided or
// audited.
func rerank(_ *http.Request, in rerankBody) (rerankedBody, error) {
	switch {
	case len(in.Hits) > maxHits:
		return rerankedBody{}, invalid("hits is limited to 100.")
	case in.Security != "" && !slices.Contains(offline.Levels(), in.Security):
		return rerankedBody{}, invalid("Unknown security level. Use standard, strict or paranoid.")
	}
	return rerankedBody{offline.Rerank(in.Hits, time.Now(), in.Security)}, nil
}

func (s offlineRoutes) answer(r *http.Request, in answerFromBody) (*offline.Answer, error) {
	if s.retriever == nil {
		return nil, errNoOffline
	}
	opts := offline.AnswerOptions{Level: in.Security, QID: in.QID}
	return s.retriever.Answer(r.Context(), in.Hits, in.Prompt, opts)
}
