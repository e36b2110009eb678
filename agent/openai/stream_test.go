package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"lens/agent"
	"lens/agent/agenttest"
	"lens/internal/errs"
)

// received is the result of one request.
type received struct {
	text string
	last agent.Delta
	err  error
}

func receive(ctx context.Context, m *Model, p agent.Prompt) received {
	var h received
	for d, err := range m.Stream(ctx, p) {
		h.text += d.Text
		h.last, h.err = d, err
	}
	return h
}

func (h received) calls() string {
	var all []string
	for _, c := range h.last.Calls {
		all = append(all, c.Name+c.Arguments)
	}
	return strings.Join(all, " ")
}

func ask() agent.Prompt {
	return agent.Prompt{
		Messages: []agent.Message{{Role: agent.User, Text: "a question"}},
		Tools:    []agent.Spec{{Name: "peek", Description: "finds", Schema: []byte(`{"type":"object"}`)}},
	}
}

func quick(s *agenttest.Server) *Model {
	return New(s.Client(), Options{BaseURL: s.URL, Key: "sk-canary", Model: "gpt-4o", Backoff: time.Millisecond})
}

func TestStream_ToolCallStyles(t *testing.T) {
	calls := []agenttest.Call{{Name: "peek", Arguments: `{"query":"日本"}`}, {Name: "peek", Arguments: `{"query":"two"}`}, {Name: "turn", Arguments: `{"turn_id":"x"}`}}
	const want = `peek{"query":"日本"} peek{"query":"two"} turn{"turn_id":"x"}`
	for _, style := range []agenttest.Style{
		agenttest.IDFirst, agenttest.IDLast, agenttest.RepeatedID, agenttest.Unindexed, agenttest.ZeroIndex, agenttest.WithoutID, agenttest.ZeroIndexWithoutID,
	} {
		for _, size := range []int{0, 1, 7} {
			t.Run(fmt.Sprintf("%s in %d", style, size), func(t *testing.T) {
				s := agenttest.New(t, agenttest.Script{Replies: []agenttest.Reply{{Text: "Ich schaue nach … 日本", Calls: calls, Chunks: size, Deltas: 1, Style: style}}})
				h := receive(t.Context(), quick(s), ask())
				if h.err != nil || h.text != "Ich schaue nach … 日本" || h.calls() != want || h.last.Finish != agent.Stop {
					t.Errorf("got %q, %s, %v", h.text, h.calls(), h.err)
				}
				if h.last.Tokens != (agent.Tokens{Prompt: 1000, Completion: 50}) {
					t.Errorf("used %+v", h.last.Tokens)
				}
				ids := map[string]bool{}
				for _, c := range h.last.Calls {
					ids[c.ID] = true
				}
				if len(ids) != 3 || ids[""] {
					t.Errorf("ids %v", ids)
				}
			})
		}
	}
}

func TestStream_Request(t *testing.T) {
	s := agenttest.New(t, agenttest.Script{Replies: []agenttest.Reply{{Text: "ok"}}})
	p := ask()
	p.Answer = true
	p.Messages = append(p.Messages,
		agent.Message{Role: agent.Assistant, Calls: []agent.Call{{ID: "c1", Name: "peek", Arguments: `{"query":"x"}`}}},
		agent.Message{Role: agent.ToolRole, Call: "c1", Text: "found"})
	receive(t.Context(), quick(s), p)
	got := s.Requests()[0]
	if got.Model != "gpt-4o" || !got.Stream || got.ToolChoice != "none" || len(got.Tools) != 1 || got.Header.Get("Authorization") != "Bearer sk-canary" {
		t.Errorf("sent %s", got.Body)
	}
	if m := got.Messages; m[1].ToolCalls[0].ID != "c1" || m[2].Role != "tool" || m[2].ToolCallID != "c1" {
		t.Errorf("sent %s", got.Body)
	}
	if !strings.Contains(string(got.Body), `"include_usage":true`) {
		t.Error("usage was not requested")
	}
}

func TestStream_EndOfMessage(t *testing.T) {
	for _, c := range []struct {
		name   string
		reply  agenttest.Reply
		finish agent.Finish // "": broken
	}{
		{"both", agenttest.Reply{Text: "whole"}, agent.Stop},
		{"finish_reason alone", agenttest.Reply{Text: "whole", NoDone: true, NoUsage: true}, agent.Stop},
		{"[DONE] alone", agenttest.Reply{Text: "whole", Finish: "none"}, agent.Unknown},
		{"[DONE] after calls", agenttest.Reply{Calls: []agenttest.Call{{Name: "peek"}}, Finish: "none"}, agent.Unknown},
		{"neither", agenttest.Reply{Text: "whole", Finish: "none", NoDone: true}, ""},
		{"[DONE] inside the text", agenttest.Reply{Text: "data: [DONE]", Finish: "none", NoDone: true}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := agenttest.New(t, agenttest.Script{Replies: []agenttest.Reply{c.reply}})
			if h := receive(t.Context(), quick(s), ask()); h.text != c.reply.Text || h.last.Finish != c.finish || (h.err == nil) != (c.finish != "") || h.err != nil && !errors.Is(h.err, agent.ErrBroken) {
				t.Errorf("got %q, %s, %v", h.text, h.last.Finish, h.err)
			}
		})
	}
}

func TestStream_FinishReason(t *testing.T) {
	for reason, want := range map[string]agent.Finish{
		"stop": agent.Stop, "STOP": agent.Stop, "eos": agent.Stop, "end_turn": agent.Stop, "tool_calls": agent.Stop,
		"length": agent.Length, "model_length": agent.Length, "MAX_TOKENS": agent.Length,
		"content_filter": agent.Filtered, "SAFETY": agent.Filtered,
		"abort": agent.Unknown, "error": agent.Unknown, "insufficient_system_resource": agent.Unknown,
	} {
		s := agenttest.New(t, agenttest.Script{Replies: []agenttest.Reply{{Text: "x", Finish: reason}}})
		if h := receive(t.Context(), quick(s), ask()); h.last.Finish != want {
			t.Errorf("%s: %v", reason, h.last.Finish)
		}
	}
}

func TestStream_CutAtAnyByte(t *testing.T) {
	reply := agenttest.Reply{Text: "It began in May, says your chat [1]. 始まり", Calls: []agenttest.Call{{Name: "turn", Arguments: `{"turn_id":"x"}`}}}
	recorded := reply.SSE()
	for _, abort := range []bool{false, true} {
		broken := 0
		cut := 0
		s := agenttest.NewFunc(t, func(agenttest.Request) agenttest.Reply {
			r := reply
			if r.Fault = (agenttest.Fault{Cut: cut, Abort: abort}); cut == 0 {
				r.Fault.Cut = -1
			}
			return r
		})
		m := quick(s)
		for cut = range recorded {
			h := receive(t.Context(), m, ask())
			switch {
			case h.err == nil && h.text == reply.Text && h.calls() == `turn{"turn_id":"x"}`:
			case errors.Is(h.err, agent.ErrBroken) && strings.HasPrefix(reply.Text, h.text) && utf8.ValidString(h.text):
				broken++
			default:
				t.Errorf("abort %v, cut at %d: %q, %q, %v", abort, cut, h.text, h.calls(), h.err)
			}
		}
		if broken < len(recorded)/2 || broken > len(recorded)-100 {
			t.Errorf("%d of %d cuts were noticed; the test cuts at the wrong places", broken, len(recorded))
		}
	}
}

func TestStream_Cancel(t *testing.T) {
	s := agenttest.New(t, agenttest.Script{Replies: []agenttest.Reply{{Text: strings.Repeat("word ", 100), Delay: 5 * time.Millisecond}}})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	deltas := 0
	var failed error
	for _, err := range quick(s).Stream(ctx, ask()) {
		if deltas++; deltas == 3 {
			cancel()
		}
		failed = err
	}
	if !errors.Is(failed, context.Canceled) {
		t.Errorf("got %v", failed)
	}
	<-s.ClientGone()
	for range quick(s).Stream(t.Context(), ask()) {
		break // must not leak
	}
}

// fixedBody answers every request with the same bytes.
type fixedBody []byte

func (b fixedBody) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(string(b))), Request: r}, nil
}

func FuzzStream(f *testing.F) {
	calls := []agenttest.Call{{Name: "peek", Arguments: `{"query":"x"}`}, {Name: "turn"}}
	for _, style := range []agenttest.Style{agenttest.IDFirst, agenttest.IDLast, agenttest.RepeatedID, agenttest.Unindexed, agenttest.ZeroIndex} {
		f.Add(agenttest.Reply{Text: "text", Calls: calls, Style: style}.SSE())
	}
	f.Add([]byte("data: {\"error\":{\"message\":\"sk-canary\"}}\n\n"))
	f.Add([]byte("data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":-5},{\"index\":99999999}]}}]}\r\n\r\ndata:[DONE]"))
	f.Fuzz(func(t *testing.T, stream []byte) {
		h := receive(t.Context(), New(&http.Client{Transport: fixedBody(stream)}, Options{Key: "sk-canary", Backoff: 1, Waits: 1, Attempts: 1}), ask())
		switch {
		case h.err == nil && h.last.Finish == "":
			t.Fatal("ended without a finish reason")
		case h.err != nil && errs.First(h.err).Hint == "":
			t.Fatalf("unexpected %v", h.err)
		case strings.Contains(fmt.Sprint(h.err, errs.First(h.err)), "sk-canary"):
			t.Fatal("shows the key")
		case h.err == nil && !json.Valid(bytes.TrimSpace(bytes.TrimLeft(stream, "\uFEFF \t\r\n"))) &&
			!strings.Contains(strings.ToLower(string(stream)), "finish_reason") && !strings.Contains(string(stream), "[DONE]"):
			t.Fatal("accepted an incomplete message")
		}
		for _, c := range h.last.Calls {
			if c.ID == "" || c.Name == "" {
				t.Fatalf("a call without id or name: %+v", c)
			}
		}
	})
}
