package httpapi

import (
	"net/http"
	"strings"
	"testing"
)

func TestMCP_AccessChecks(t *testing.T) {
	s := start(t, func(o *Options) {
		o.Keys = []string{"a key that is long enough"}
		o.MCP = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	})
	key := []string{"Authorization", "Bearer a key that is long enough"}
	for _, c := range []struct {
		headers []string
		status  int
	}{
		{key, http.StatusTeapot},
		{nil, http.StatusUnauthorized},
		{append([]string{"Host", "rebound.example"}, key...), http.StatusMisdirectedRequest},
		{append([]string{"Origin", "http://rebound.example"}, key...), http.StatusForbidden},
	} {
		if got := s.ask("POST", "/mcp", "{}", c.headers...); got.status != c.status {
			t.Errorf("%v: %d, want %d", c.headers, got.status, c.status)
		}
	}
	if got := start(t, nil).ask("POST", "/mcp", "{}"); got.status != http.StatusNotFound {
		t.Errorf("unasked: %d", got.status)
	}
}

func TestMCP_PlainTextErrors(t *testing.T) {
	for status, want := range map[int]answer{
		http.StatusBadRequest:            {status: 400, body: []byte(codeInvalid)},
		http.StatusUnsupportedMediaType:  {status: 400, body: []byte(codeInvalid)},
		http.StatusMethodNotAllowed:      {status: 405, body: []byte(codeMethod)},
		http.StatusRequestEntityTooLarge: {status: 413, body: []byte(codeTooLarge)},
		http.StatusInternalServerError:   {status: 500, body: []byte(codeInternal)},
	} {
		s := start(t, func(o *Options) {
			o.MCP = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Allow", "POST")
				http.Error(w, "canary "+canary, status)
			})
		})
		got := s.ask("POST", "/mcp", "{}")
		if got.status != want.status || got.code() != string(want.body) || strings.Contains(string(got.body), canary) || got.header.Get("Content-Type") != kindJSON {
			t.Errorf("%d: %d %s", status, got.status, got.body)
		}
	}
	s := start(t, func(o *Options) {
		o.MCP = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kindJSON)
			w.WriteHeader(http.StatusBadRequest)
			_, _ = w.Write([]byte(`{"jsonrpc":"2.0"}`))
		})
	})
	if got := s.ask("POST", "/mcp", "{}"); got.status != 400 || string(got.body) != `{"jsonrpc":"2.0"}` {
		t.Errorf("the protocol's own errors: %d %s", got.status, got.body)
	}
}
