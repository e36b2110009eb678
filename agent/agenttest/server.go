// Package agenttest is a scripted chat model behind an OpenAI-compatible server on loopback. It follows a
// script, can send its answers in awkward chunks, slowly or incompletely, and records the requests.
package agenttest

import (
	"cmp"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
	"testing"
)

// Server is a running server. It is safe for concurrent use.
type Server struct {
	URL string // base URL, ends in /v1

	script   Script
	replyTo  func(Request) Reply // decides instead of the script; may be nil
	http     *http.Server
	client   *http.Client
	closing  chan struct{}
	mu       sync.Mutex
	next     int
	requests []Request
	gone     chan struct{} // closed when a client left mid-answer; one a Server
	left     sync.Once
}

// Request is one request of a client.
type Request struct {
	Model    string    `json:"model"`
	Messages []Message `json:"messages"`
	Tools    []struct {
		Function struct{ Name, Description string } `json:"function"`
	} `json:"tools"`
	ToolChoice string      `json:"tool_choice"`
	Stream     bool        `json:"stream"`
	Header     http.Header `json:"-"`
	Body       []byte      `json:"-"` // as received
}

// Message is one message of a request.
type Message struct {
	Role      string `json:"role"`
	Content   string `json:"content"`
	ToolCalls []struct {
		ID       string `json:"id"`
		Function struct{ Name, Arguments string }
	} `json:"tool_calls"`
	ToolCallID string `json:"tool_call_id"`
}

// New starts a server that follows a script and ends with the test.
func New(t testing.TB, script Script) *Server {
	t.Helper()
	return start(t, &Server{script: script})
}

// NewFunc starts a server whose replies replyTo decides. It ends with the test.
func NewFunc(t testing.TB, think func(Request) Reply) *Server {
	t.Helper()
	return start(t, &Server{replyTo: think})
}

func start(t testing.TB, s *Server) *Server {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan struct{})
	s.prepare(listener)
	go func() {
		defer close(served)
		_ = s.http.Serve(listener) // ends by Close below
	}()
	t.Cleanup(func() {
		close(s.closing)
		s.client.CloseIdleConnections()
		_ = s.http.Close()
		<-served
	})
	return s
}

// Serve follows a script on a listener until that is closed, for manual use.
func Serve(listener net.Listener, script Script) error {
	s := &Server{script: script}
	s.prepare(listener)
	return s.http.Serve(listener)
}

func (s *Server) prepare(listener net.Listener) {
	s.URL = "http://" + listener.Addr().String() + "/v1"
	s.closing, s.gone = make(chan struct{}), make(chan struct{})
	s.client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 4}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", s.complete)
	mux.HandleFunc("GET /v1/models", s.models)
	for request, reply := range s.script.Says {
		mux.HandleFunc(request, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, reply) })
	}
	s.http = &http.Server{Handler: mux}
}

// Client returns a client for the server; its connections end with the server.
func (s *Server) Client() *http.Client { return s.client }

// Requests returns all requests, including failed attempts.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// ClientGone is closed once a client has left mid-answer.
func (s *Server) ClientGone() <-chan struct{} { return s.gone }

func (s *Server) complete(w http.ResponseWriter, r *http.Request) {
	var ask Request
	body, err := readAll(r)
	if err == nil {
		err = json.Unmarshal(body, &ask)
	}
	if err != nil {
		writeError(w, http.StatusBadRequest, "not a chat request")
		return
	}
	ask.Header, ask.Body = r.Header.Clone(), body
	reply := s.reply(ask)
	if !reply.Fault.inject(s, w, r) {
		s.answer(w, r, reply, ask)
	}
}

// reply records a request and returns the reply to it. The script's last reply repeats.
func (s *Server) reply(ask Request) Reply {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, ask)
	if s.replyTo != nil {
		return s.replyTo(ask)
	}
	if len(s.script.Replies) == 0 {
		return Reply{Text: "The script is empty."}
	}
	reply := s.script.Replies[min(s.next, len(s.script.Replies)-1)]
	s.next++
	return reply.withIDs(ask)
}

func (s *Server) models(w http.ResponseWriter, _ *http.Request) {
	name := cmp.Or(s.script.Model, "scripted")
	model := map[string]any{"id": name, "object": "model"}
	writeJSON(w, http.StatusOK, map[string]any{"object": "list", "data": []any{model}})
}

func writeError(w http.ResponseWriter, status int, message string) {
	writeJSON(w, status, map[string]any{"error": map[string]any{"message": message, "type": "error"}})
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // the client may have left
}
