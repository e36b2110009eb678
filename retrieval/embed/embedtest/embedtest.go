// Package embedtest is an OpenAI-compatible embedding server for tests: on loopback, deterministic, and able to
// fail on request in every way that real ones do.
package embedtest

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
)

// Options shapes a server. The zero value answers everything with vectors of 64 dims.
type Options struct {
	Dim        int                    // 0: 64; a request's own dimensions win
	Model      string                 // "": any; else other models get 404
	Key        string                 // "": any; else other keys get 401
	FloatsOnly bool                   // encoding_format is ignored, as many servers do
	Refuse     func(text string) bool // a request with such a text gets 400
	TooLong    func(text string) bool // likewise, and the server says that the text is too long
}

// Server is a running server. Its counters are safe to read at any time.
type Server struct {
	URL string // base URL: ends in /v1

	opts     Options
	http     *httptest.Server
	hangs    chan struct{} // closed when the test is over
	mu       sync.Mutex
	faults   []Fault
	requests int
	batches  []int
	texts    []string
}

// New starts a server that ends with the test.
func New(t testing.TB, opts Options) *Server {
	if opts.Dim == 0 {
		opts.Dim = 64
	}
	s := &Server{opts: opts, hangs: make(chan struct{})}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/embeddings", s.serve)
	s.http = httptest.NewServer(mux)
	s.URL = s.http.URL + "/v1"
	t.Cleanup(func() {
		close(s.hangs)
		s.http.Client().CloseIdleConnections()
		s.http.Close()
	})
	return s
}

// Client returns a client for the server, whose connections end with it.
func (s *Server) Client() *http.Client { return s.http.Client() }

// Fail makes the next requests fail, one fault each, before the server answers properly again.
func (s *Server) Fail(faults ...Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, faults...)
}

// Requests returns how many requests came, including failed ones.
func (s *Server) Requests() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests
}

// Batches returns how many texts each request held.
func (s *Server) Batches() []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.batches)
}

// Texts returns the texts that were answered with vectors, in the order they came.
func (s *Server) Texts() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.texts)
}

type request struct {
	Input      []string `json:"input"`
	Model      string   `json:"model"`
	Dimensions int      `json:"dimensions"`
	Format     string   `json:"encoding_format"`
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	var ask request
	if err := json.NewDecoder(r.Body).Decode(&ask); err != nil {
		refuse(w, http.StatusBadRequest, "", "not JSON")
		return
	}
	if fault, ok := s.next(len(ask.Input)); ok {
		fault.serve(s, w, r, ask)
		return
	}
	switch {
	case s.opts.Key != "" && r.Header.Get("Authorization") != "Bearer "+s.opts.Key:
		refuse(w, http.StatusUnauthorized, "invalid_api_key", "Incorrect API key provided: "+r.Header.Get("Authorization"))
	case s.opts.Model != "" && ask.Model != s.opts.Model:
		refuse(w, http.StatusNotFound, "model_not_found", "The model does not exist")
	case s.opts.TooLong != nil && slices.ContainsFunc(ask.Input, s.opts.TooLong):
		refuse(w, http.StatusBadRequest, "", "the input length exceeds the context length")
	case s.opts.Refuse != nil && slices.ContainsFunc(ask.Input, s.opts.Refuse):
		refuse(w, http.StatusBadRequest, "invalid_input", "This text is not liked: "+fmt.Sprint(ask.Input))
	default:
		s.answer(w, ask, s.vectors(ask))
	}
}

// next counts a request and takes its fault.
func (s *Server) next(texts int) (Fault, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests++
	s.batches = append(s.batches, texts)
	if len(s.faults) == 0 {
		return Fault{}, false
	}
	fault := s.faults[0]
	s.faults = s.faults[1:]
	return fault, true
}

func (s *Server) vectors(ask request) [][]float32 {
	dim := s.opts.Dim
	if ask.Dimensions > 0 {
		dim = ask.Dimensions
	}
	vectors := make([][]float32, len(ask.Input))
	for i, text := range ask.Input {
		vectors[i] = Vector(text, dim)
	}
	return vectors
}

// answer writes vectors, the last first: clients must read the order from the index.
func (s *Server) answer(w http.ResponseWriter, ask request, vectors [][]float32) {
	data := make([]any, 0, len(vectors))
	for i, v := range slices.Backward(vectors) {
		data = append(data, map[string]any{"object": "embedding", "index": i, "embedding": s.encoded(ask, v)})
	}
	s.mu.Lock()
	s.texts = append(s.texts, ask.Input...)
	s.mu.Unlock()
	send(w, http.StatusOK, map[string]any{"object": "list", "model": ask.Model, "data": data})
}

func (s *Server) encoded(ask request, v []float32) any {
	if ask.Format != "base64" || s.opts.FloatsOnly {
		return v
	}
	raw := make([]byte, 0, 4*len(v))
	for _, x := range v {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(x))
	}
	return base64.StdEncoding.EncodeToString(raw)
}

func refuse(w http.ResponseWriter, status int, code, message string) {
	send(w, status, map[string]any{"error": map[string]any{"message": message, "type": "error", "code": code}})
}

func send(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // the client may have gone away
}
