package httpapi

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
)

// requestWith returns a request with a raw query.
func requestWith(raw string) *http.Request {
	return &http.Request{Method: http.MethodGet, URL: &url.URL{Path: "/", RawQuery: raw}}
}

// FuzzBody checks that no body makes a handler panic, and that a refused body is refused as invalid.
func FuzzBody(f *testing.F) {
	for _, seed := range []string{
		emptyQuestion, `{"messages":[]}`, `{"messages":[{"role":"system","content":"x"}]}`, `{"messages":1}`, `{"messages":[{"role":"user","content":"x"}],"messages":[]}`,
		`{"session_id":"x","messages":[{"role":"user","content":"x"}]}`, "{\"messages\":\"\xff\"}", `[[[[[[`, ``, `null`, `{"a":{"b":{"c":1e999}}}`,
	} {
		f.Add(seed)
	}
	for _, seed := range bodies {
		f.Add(seed)
	}
	server, err := New(Options{Investigate: asking(words("Yes.")), Sessions: knownChats(), Offline: notes{}, Rate: 1e9})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, body string) {
		for path := range bodies {
			method := http.MethodPost
			if strings.Contains(path, "{id}") {
				method = http.MethodPatch
			}
			r := httptest.NewRequestWithContext(t.Context(), method, "http://localhost"+fill(path), strings.NewReader(body))
			r.Header.Set("Content-Type", kindJSON)
			w := httptest.NewRecorder()
			server.ServeHTTP(w, r)
			switch got := (answer{w.Code, w.Header(), w.Body.Bytes()}); {
			case got.status == http.StatusOK || got.status == http.StatusCreated:
			case got.status == http.StatusBadRequest && got.code() == codeInvalid:
			case got.status == http.StatusRequestEntityTooLarge && got.code() == codeTooLarge:
			case got.status == http.StatusNotFound && got.code() == codeNotFound:
			default:
				t.Errorf("%s with %q: %d %s", path, body, got.status, got.body)
			}
		}
	})
}

// FuzzQuery checks that every query is either parsed into parameters of the table or refused as invalid.
func FuzzQuery(f *testing.F) {
	for _, seed := range []string{
		"query=bread", "query=a&top_k=5&mode=dense&bin=3d&start_time=2024&end_time=last+90d&top_n_snippets=0&all_branches=true",
		"query=%ff", "query=a&query=b", "conversation_id=" + knownSession, "top_k=99999999999999999999", "&&&=&", "query=a;b", "%", "query=%00",
		"phrase=a+b&phrase=c&without=d&without=&title=x&title=y&sources=claude,chatgpt&not.sources=gemini&has_code=false",
		"like=3f2ab81c&meta=a=b&not.meta=c=d&min_similarity=.5&role=user&start_time=2024..2025&end_time=", "not.has_code=true",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		r := requestWith(raw)
		q, err := readQuery(r, peekParameters)
		if err != nil {
			if p := (failures{}).problemOf(err); p.Code != codeInvalid || p.Message == "" {
				t.Errorf("%q: %+v", raw, p)
			}
			return
		}
		if k, n := q.Limit(), q.Listed(); k < 1 || k > 1000 || n < 0 || n > 100 || len(q.Mode) > 7 || slices.Contains(q.Filter.Conversations.In, uuid.Nil) {
			t.Errorf("%q was read as %+v", raw, q)
		}
		again, err := readQuery(r.Clone(context.Background()), peekParameters)
		if err != nil || again.Text != q.Text || again.Limit() != q.Limit() || again.Mode != q.Mode || again.Like != q.Like {
			t.Errorf("%q is read in two ways", raw)
		}
	})
}
