package mcpapi

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestHTTP_Stateless(t *testing.T) {
	s, _ := served(newArchive())
	server := httptest.NewServer(s.HTTP())
	defer server.Close()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: server.URL, HTTPClient: server.Client()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	if text := textOf(t, call(t, session, "turn", `{"turn_id":"00000000"}`)); !strings.Contains(text, "Rye.") {
		t.Errorf("read %s", text)
	}
	if session.ID() != "" {
		t.Errorf("there is a session %q", session.ID())
	}
}

func TestHTTP_InvalidMessages(t *testing.T) {
	s, _ := served(newArchive())
	for body, want := range map[string]int{
		strings.Repeat("x", maxMessage+1): http.StatusRequestEntityTooLarge,
		"no message":                      http.StatusBadRequest,
	} {
		r := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(body)).WithContext(context.Background())
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		w := httptest.NewRecorder()
		s.HTTP().ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("%d bytes: %d, want %d", len(body), w.Code, want)
		}
	}
}
