package httpapi

import (
	"context"
	"net/http"
	"slices"
	"time"

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
	K        int           `json:"k,omitempty"`        // 1..100; default 8
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

// offlineProblems are the codes of routes that decide whether to answer.
var offlineProblems = []string{codeNotFound, codeBlocked, codeLocked, codeDimension, codeUnavailable}

func (s *Server) offlineRoutes() []route {
	return []route{
		{
			method: http.MethodPost, path: "/search", handle: s.search, body: searchBody{}, problems: offlineProblems,
			summary: "Search offline: nothing leaves the machine",
			replies: okReply("The hits, best first, and the audited decision.", offline.Found{}),
		},
		{
			method: http.MethodPost, path: "/rerank", handle: s.rerank, body: rerankBody{},
			summary: "Rerank hits and keep the best four", replies: okReply("The hits, best first.", rerankedBody{}),
		},
		{
			method: http.MethodPost, path: "/answer", handle: s.answerOffline, body: answerFromBody{}, problems: offlineProblems,
			summary: "Answer offline from hits: nothing leaves the machine",
			replies: okReply("The answer and its citations.", offline.Answer{}),
		},
	}
}

func (s *Server) search(w http.ResponseWriter, r *http.Request) error {
	var input searchBody
	if err := readOffline(r, &input); err != nil {
		return err
	}
	retriever, err := s.offline()
	if err != nil {
		return err
	}
	found, err := retriever.Search(r.Context(), input.Query, offline.SearchOptions{K: input.K, Level: input.Security})
	if err != nil {
		return err
	}
	return send(w, http.StatusOK, found)
}

// rerank only computes with what the client sent. It reads nothing from the archive, so nothing needs to be decided or
// audited.
func (s *Server) rerank(w http.ResponseWriter, r *http.Request) error {
	var input rerankBody
	if err := readOffline(r, &input); err != nil {
		return err
	}
	switch {
	case len(input.Hits) > maxHits:
		return invalid("hits is limited to 100.")
	case input.Security != "" && !slices.Contains(offline.Levels(), input.Security):
		return invalid("Unknown security level. Use standard, strict or paranoid.")
	}
	return send(w, http.StatusOK, rerankedBody{offline.Rerank(input.Hits, time.Now(), input.Security)})
}

func (s *Server) answerOffline(w http.ResponseWriter, r *http.Request) error {
	var input answerFromBody
	if err := readOffline(r, &input); err != nil {
		return err
	}
	retriever, err := s.offline()
	if err != nil {
		return err
	}
	opts := offline.AnswerOptions{Level: input.Security, QID: input.QID}
	answer, err := retriever.Answer(r.Context(), input.Hits, input.Prompt, opts)
	if err != nil {
		return err
	}
	return send(w, http.StatusOK, answer)
}

func readOffline(r *http.Request, into any) error {
	if err := noQuery(r); err != nil {
		return err
	}
	return readJSON(r, into)
}

func (s *Server) offline() (Offline, error) {
	if s.opts.Offline == nil {
		return nil, &problem{Code: codeUnavailable, Message: "This server has no offline retriever."}
	}
	return s.opts.Offline, nil
}
