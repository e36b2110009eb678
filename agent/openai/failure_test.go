package openai

import (
	"errors"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"lens/agent"
	"lens/agent/agenttest"
	"lens/internal/errs"
)

func TestStream_RetriesTemporaryFailures(t *testing.T) {
	for _, c := range []struct {
		name  string
		fault agenttest.Fault
		tries int
	}{
		{"rate limit", agenttest.Fault{Status: 429, RetryAfter: 2 * time.Millisecond}, 3},
		{"server error", agenttest.Fault{Status: 503}, 3},
		{"request timeout", agenttest.Fault{Status: 408}, 3},
		{"connection reset", agenttest.Fault{Reset: true}, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := agenttest.New(t, agenttest.Script{Replies: []agenttest.Reply{{Fault: c.fault}, {Fault: c.fault}, {Text: "at last"}}})
			if h := receive(t.Context(), quick(s), ask()); h.err != nil || h.text != "at last" || len(s.Requests()) != c.tries {
				t.Errorf("got %q, %v after %d tries", h.text, h.err, len(s.Requests()))
			}
		})
	}
}

func TestStream_PermanentFailures(t *testing.T) {
	for _, c := range []struct {
		name  string
		code  errs.Code
		says  string
		fault agenttest.Fault
		tries int
		is    error
	}{
		{"wrong key", "unavailable", "rejected the API key", agenttest.Fault{Status: 401, Message: "bad key sk-canary"}, 1, nil},
		{"forbidden model", "unavailable", "does not allow this key to use gpt-4o", agenttest.Fault{Status: 403}, 1, nil},
		{"unknown model", "unavailable", "has no chat model gpt-4o", agenttest.Fault{Status: 404}, 1, nil},
		{"no credit", "unavailable", "no credit", agenttest.Fault{Status: 429, Message: "insufficient_quota: a question"}, 1, nil},
		{"long conversation", "too_large", "too long for gpt-4o", agenttest.Fault{Status: 400, Message: "maximum context length is 8192"}, 1, nil},
		{"other", "invalid", "rejected the request (HTTP 422)", agenttest.Fault{Status: 422, Message: "a question"}, 1, nil},
		{"no tools: Ollama", "unavailable", "cannot call tools", agenttest.Fault{Status: 400, Message: "llama2 does not support tools"}, 1, agent.ErrNoTools},
		{"no tools: llama.cpp", "unavailable", "cannot call tools", agenttest.Fault{Status: 500, Message: "tools param requires --jinja flag"}, 1, agent.ErrNoTools},
		{"no tools: vLLM", "unavailable", "cannot call tools", agenttest.Fault{Status: 400, Message: `"auto" tool choice requires --enable-auto-tool-choice`}, 1, agent.ErrNoTools},
		{"persistent server error", "unavailable", "is unavailable (HTTP 500)", agenttest.Fault{Status: 500, Message: "a question sk-canary"}, 4, nil},
		{"persistent resets", "unavailable", "cannot reach", agenttest.Fault{Reset: true}, 4, nil},
		{"cut before the first byte", "unavailable", "lost mid-answer", agenttest.Fault{Cut: -1}, 1, agent.ErrBroken},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := agenttest.New(t, agenttest.Script{Replies: []agenttest.Reply{{Text: "x", Fault: c.fault}}})
			h := receive(t.Context(), quick(s), ask())
			var failure *errs.Error
			if !errors.As(h.err, &failure) || failure.Code != c.code || !strings.Contains(failure.Message, c.says) || failure.Hint == "" || c.is != nil && !errors.Is(h.err, c.is) {
				t.Fatalf("got %v", h.err)
			}
			if len(s.Requests()) != c.tries {
				t.Errorf("%d tries, want %d", len(s.Requests()), c.tries)
			}
			if text := h.err.Error() + failure.Hint; strings.Contains(text, "canary") || strings.Contains(text, "a question") {
				t.Errorf("reveals too much: %s", text)
			}
		})
	}
}

func TestStream_WithoutStreamOptions(t *testing.T) {
	s := agenttest.New(t, agenttest.Script{Replies: []agenttest.Reply{
		{Fault: agenttest.Fault{Status: 422, Message: "extra field: stream_options"}}, {Text: "ok"},
	}})
	m := quick(s)
	for range 2 {
		if h := receive(t.Context(), m, ask()); h.text != "ok" {
			t.Errorf("got %q, %v", h.text, h.err)
		}
	}
	if all := s.Requests(); len(all) != 3 || strings.Contains(string(all[2].Body), "stream_options") {
		t.Errorf("%d requests", len(all))
	}
}

func TestStream_IdleTimeout(t *testing.T) {
	for name, c := range map[string]struct {
		opts  Options
		fault agenttest.Fault
		says  string
		text  string
	}{
		"before the answer": {
			Options{FirstToken: 50 * time.Millisecond}, agenttest.Fault{Hang: true}, "did not answer in time", "",
		},
		"mid-answer": {
			Options{IdleTimeout: 50 * time.Millisecond}, agenttest.Fault{Stall: 400}, "stopped sending", "begun",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := agenttest.New(t, agenttest.Script{Replies: []agenttest.Reply{{Text: "begun and never ended", Deltas: 5, Fault: c.fault}}})
			c.opts.BaseURL = s.URL
			h := receive(t.Context(), New(s.Client(), c.opts), ask())
			if h.err == nil || !strings.Contains(h.err.Error(), c.says) || !strings.HasPrefix(h.text, c.text) {
				t.Errorf("got %q, %v", h.text, h.err)
			}
		})
	}
}

func TestStream_Redirects(t *testing.T) {
	other := agenttest.New(t, agenttest.Script{Replies: []agenttest.Reply{{Text: "stolen"}}})
	s := agenttest.New(t, agenttest.Script{Replies: []agenttest.Reply{{Fault: agenttest.Fault{Redirect: other.URL + "/chat/completions"}}}})
	h := receive(t.Context(), quick(s), ask())
	if h.err == nil || !strings.Contains(h.err.Error(), "another server") || len(other.Requests()) > 0 {
		t.Errorf("got %v; the other server received %d requests", h.err, len(other.Requests()))
	}
	here := agenttest.New(t, agenttest.Script{Replies: []agenttest.Reply{{Fault: agenttest.Fault{Redirect: "/v1/chat/completions"}}, {Text: "same house"}}})
	if h := receive(t.Context(), quick(here), ask()); h.text != "same house" {
		t.Errorf("within a server: %q, %v", h.text, h.err)
	}
}

func TestStream_ConnectionRefused(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	_ = listener.Close()
	client := &http.Client{Transport: &http.Transport{}}
	h := receive(t.Context(), New(client, Options{BaseURL: "http://" + address + "/v1", Attempts: 2, Backoff: time.Millisecond}), ask())
	if h.err == nil || !strings.Contains(h.err.Error(), "cannot reach "+address) {
		t.Errorf("got %v", h.err)
	}
}
