package httpapi

import (
	"context"
	"net/http"
	"slices"
	"time"

	"lens/retrieval/offline"
)

// Offline is what the routes ask of the offline retriever.
type Offline interface {
	Search(ctx context.Context, query string, opts offline.SearchOptions) (*offline.Found, error)
	Answer(ctx context.Context, hits []offline.Hit, prompt string, opts offline.AnswerOptions) (*offline.Answer, error)
}

// searchBody asks for hits.
type searchBody struct {
	Query    string        `json:"query"`
	K        int           `json:"k,omitempty"`        // 1..100; 8 when it is left out
	Security offline.Level `json:"security,omitempty"` // standard when it is left out
}

// rerankBody asks for the best of hits.
type rerankBody struct {
	Hits     []offline.Hit `json:"hits"`
	Security offline.Level `json:"security,omitempty"`
}

// rerankedBody is the four best hits, or fewer.
type rerankedBody struct {
	Hits []offline.Hit `json:"hits"`
}

// answerFromBody asks for an answer from hits.
type answerFromBody struct {
	Hits     []offline.Hit `json:"hits"`
	Prompt   string        `json:"prompt"`
	Security offline.Level `json:"security,omitempty"`
	QID      string        `json:"qid,omitempty"` // of the search that found the hits
}

// maxHits bounds the hits of a body.
const maxHits = offline.MaxK

// ofOffline are the codes of routes that decide whether to answer.
var ofOffline = []string{codeNotFound, codeBlocked, codeLocked, codeDimension, codeUnavailable}

func (s *Server) offlineRoutes() []route {
	return []route{
		{
			method: http.MethodPost, path: "/search", handle: s.search, body: searchBody{}, problems: ofOffline,
			summary: "Find with nothing leaving the machine", replies: answers("The hits, best first, and how it was made sure.", offline.Found{}),
		},
		{
			method: http.MethodPost, path: "/rerank", handle: s.rerank, body: rerankBody{},
			summary: "Keep the four hits that bear on the query most", replies: answers("The hits, best first.", rerankedBody{}),
		},
		{
			method: http.MethodPost, path: "/answer", handle: s.answerOffline, body: answerFromBody{}, problems: ofOffline,
			summary: "Answer from hits, with nothing leaving the machine", replies: answers("The answer, and what it rests on.", offline.Answer{}),
		},
	}
}

func (s *Server) search(w http.ResponseWriter, r *http.Request) error {
	var ask searchBody
	if err := readOffline(r, &ask); err != nil {
		return err
	}
	retriever, err := s.offline()
	if err != nil {
		return err
	}
	found, err := retriever.Search(r.Context(), ask.Query, offline.SearchOptions{K: ask.K, Level: ask.Security})
	if err != nil {
		return err
	}
	return send(w, http.StatusOK, found)
}

// rerank is arithmetic over what the client sends: nothing of the archive is in it, and so nothing is decided.
func (s *Server) rerank(w http.ResponseWriter, r *http.Request) error {
	var ask rerankBody
	if err := readOffline(r, &ask); err != nil {
		return err
	}
	switch {
	case len(ask.Hits) > maxHits:
		return invalid("At most 100 hits are reranked.")
	case ask.Security != "" && !slices.Contains(offline.Levels(), ask.Security):
		return invalid("There is no such security level. Use standard, strict or paranoid.")
	}
	return send(w, http.StatusOK, rerankedBody{offline.Rerank(ask.Hits, time.Now(), ask.Security)})
}

func (s *Server) answerOffline(w http.ResponseWriter, r *http.Request) error {
	var ask answerFromBody
	if err := readOffline(r, &ask); err != nil {
		return err
	}
	retriever, err := s.offline()
	if err != nil {
		return err
	}
	answer, err := retriever.Answer(r.Context(), ask.Hits, ask.Prompt, offline.AnswerOptions{Level: ask.Security, QID: ask.QID})
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
