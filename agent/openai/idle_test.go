package openai

import (
	"context"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"lens/agent/agenttest"
)

// slowReader returns a recorded answer a few bytes at a time, with a pause before each, until the request ends.
type slowReader struct {
	ctx   context.Context
	rest  []byte
	pause time.Duration
}

func (s *slowReader) Read(p []byte) (int, error) {
	select {
	case <-s.ctx.Done():
		return 0, s.ctx.Err()
	case <-time.After(s.pause):
	}
	if len(s.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p, s.rest[:min(len(s.rest), 100)])
	s.rest = s.rest[n:]
	return n, nil
}

func (s *slowReader) Close() error { return nil }

func (s *slowReader) RoundTrip(r *http.Request) (*http.Response, error) {
	s.ctx = r.Context()
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: s, Request: r}, nil
}

func TestStream_SlowServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		s := &slowReader{rest: agenttest.Reply{Text: "slowly but surely"}.SSE(), pause: 40 * time.Second}
		h := receive(t.Context(), New(&http.Client{Transport: s}, Options{IdleTimeout: time.Minute}), ask())
		if h.err != nil || h.text != "slowly but surely" || time.Since(began) < 2*time.Minute {
			t.Errorf("got %q, %v after %v", h.text, h.err, time.Since(began))
		}
	})
}
