package openai

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"lens/agent"
	"lens/agent/agenttest"
	"lens/internal/errs"
)

func TestStream_OutputLimit(t *testing.T) {
	refusing := func(parameter, message string) func(agenttest.Request) agenttest.Reply {
		return func(r agenttest.Request) agenttest.Reply {
			if _, sent := sentLimits(t, r)[parameter]; sent {
				return agenttest.Reply{Fault: agenttest.Fault{Status: 400, Message: message}}
			}
			return agenttest.Reply{Text: "ok"}
		}
	}
	const newer = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
	const older = `[{"type":"extra_forbidden","loc":["body","max_completion_tokens"],"msg":"Extra inputs are not permitted"}]`
	anything := func(agenttest.Request) agenttest.Reply { return agenttest.Reply{Text: "ok"} }
	for _, c := range []struct {
		name, model string
		limit       int
		server      func(agenttest.Request) agenttest.Reply
		want        []string // of two questions
	}{
		{"no limit", "gpt-4o", 0, anything, []string{"", ""}},
		{"a chat model", "gpt-4o", 900, anything, []string{"max_tokens", "max_tokens"}},
		{"a reasoning model", "gpt-5-mini", 900, anything, []string{"max_completion_tokens", "max_completion_tokens"}},
		{
			"a model that refuses max_tokens", "gpt-4o", 900, refusing("max_tokens", newer),
			[]string{"max_tokens", "max_completion_tokens", "max_completion_tokens"},
		},
		{
			"a server that refuses max_completion_tokens", "o3-mini", 900, refusing("max_completion_tokens", older),
			[]string{"max_completion_tokens", "max_tokens", "max_tokens"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := agenttest.NewFunc(t, c.server)
			m := quick(s)
			m = New(s.Client(), Options{BaseURL: s.URL, Model: c.model, Backoff: m.opts.Backoff})
			p := ask()
			p.MaxTokens = c.limit
			for range 2 {
				if h := receive(t.Context(), m, p); h.err != nil || h.text != "ok" {
					t.Errorf("got %q, %v", h.text, h.err)
				}
			}
			var got []string
			for _, r := range s.Requests() {
				name := ""
				for parameter, tokens := range sentLimits(t, r) {
					want := c.limit
					if limitParameterOf(c.model) == maxCompletionTokens {
						want += thoughts
					}
					if name += parameter; tokens != want {
						t.Errorf("sent %s: %d, want %d", parameter, tokens, want)
					}
				}
				got = append(got, name)
			}
			if fmt.Sprint(got) != fmt.Sprint(c.want) {
				t.Errorf("sent %q, want %q", got, c.want)
			}
		})
	}
}

func TestStream_RefusesAnyOutputLimit(t *testing.T) {
	s := agenttest.New(t, agenttest.Script{Replies: []agenttest.Reply{
		{Fault: agenttest.Fault{Status: 400, Message: "max_tokens is too large, as is max_completion_tokens"}},
	}})
	p := ask()
	p.MaxTokens = 900
	if h := receive(t.Context(), quick(s), p); errs.CodeOf(h.err) != errs.Invalid || len(s.Requests()) != 2 {
		t.Errorf("got %v after %d requests, want it refused after 2", h.err, len(s.Requests()))
	}
}

// A model with a small window takes a smaller output limit.
func TestStream_OutputLimitShrinks(t *testing.T) {
	const (
		window  = "'max_tokens' or 'max_completion_tokens' is too large: 8192. This model's maximum context length is 8192 tokens and your request has 2435 input tokens (8192 > 8192 - 2435)."
		fixed   = "max_tokens is too large: 8192. This model supports at most 4096 completion tokens, whereas you provided 8192."
		atLeast = "This model's maximum context length is 8192 tokens. However, you requested 8192 output tokens and your prompt contains at least 1 input tokens, for a total of at least 8193 tokens."
		full    = "This model's maximum context length is 8192 tokens. However, you requested 16184 tokens (7992 in the messages, 8192 in the completion)."
		older   = `[{"type":"extra_forbidden","loc":["body","max_completion_tokens"],"msg":"Extra inputs are not permitted"}]`
	)
	refuse := func(message string) agenttest.Reply {
		return agenttest.Reply{Fault: agenttest.Fault{Status: 400, Message: message}}
	}
	inStream := agenttest.Reply{Fault: agenttest.Fault{Body: `data: {"error":{"message":"` + window + `","code":400}}` + "\n\n"}}
	inError := agenttest.Reply{Fault: agenttest.Fault{Status: 500, Message: window}}
	answer := agenttest.Reply{Text: "ok"}
	for _, c := range []struct {
		name    string
		model   string
		replies []agenttest.Reply
		want    string // sent
		is      error
	}{
		{"window and input", "qwen", []agenttest.Reply{refuse(window), answer}, "[max_tokens:8192] [max_tokens:5757]", nil},
		{"in a stream", "qwen", []agenttest.Reply{inStream, answer}, "[max_tokens:8192] [max_tokens:5757]", nil},
		{"as an error of the server", "qwen", []agenttest.Reply{inError, answer}, "[max_tokens:8192] [max_tokens:5757]", nil},
		{"a fixed maximum", "gpt-4o", []agenttest.Reply{refuse(fixed), answer}, "[max_tokens:8192] [max_tokens:4096]", nil},
		{"an unknown input", "qwen", []agenttest.Reply{refuse(atLeast), answer}, "[max_tokens:8192] [max_tokens:2048]", nil},
		{"only once", "qwen", []agenttest.Reply{refuse(window)}, "[max_tokens:8192] [max_tokens:5757]", agent.ErrContextTooLong},
		{"no room", "qwen", []agenttest.Reply{refuse(full)}, "[max_tokens:8192]", agent.ErrContextTooLong},
		{
			"and the other name", "o3-mini",
			[]agenttest.Reply{refuse(window), refuse(older), answer},
			"[max_completion_tokens:33192] [max_completion_tokens:5757] [max_tokens:5757]", nil,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := agenttest.New(t, agenttest.Script{Replies: c.replies})
			p := ask()
			p.MaxTokens = 8192
			h := receive(t.Context(), New(s.Client(), Options{BaseURL: s.URL, Model: c.model, Backoff: 1, Attempts: 1}), p)
			if !errors.Is(h.err, c.is) || c.is == nil && h.text != "ok" {
				t.Errorf("got %q, %v", h.text, h.err)
			}
			var sent []string
			for _, r := range s.Requests() {
				sent = append(sent, strings.TrimPrefix(fmt.Sprint(sentLimits(t, r)), "map"))
			}
			if got := strings.Join(sent, " "); got != c.want {
				t.Errorf("sent %s, want %s", got, c.want)
			}
		})
	}
}

func sentLimits(t *testing.T, r agenttest.Request) map[string]int {
	t.Helper()
	var all map[string]json.RawMessage
	if err := json.Unmarshal(r.Body, &all); err != nil {
		t.Fatal(err)
	}
	sent := map[string]int{}
	for _, name := range []string{"max_tokens", "max_completion_tokens"} {
		if raw, ok := all[name]; ok {
			n := 0
			if err := json.Unmarshal(raw, &n); err != nil {
				t.Fatal(err)
			}
			sent[name] = n
		}
	}
	return sent
}

func TestLimitParameterOf(t *testing.T) {
	for model, want := range map[string]limitParameter{
		"gpt-4.1-mini": maxTokens, "gpt-4o": maxTokens, "gpt-oss:20b": maxTokens, "olmo-3": maxTokens, "llama3.2": maxTokens,
		"o1": maxCompletionTokens, "o3-mini": maxCompletionTokens, "gpt-5": maxCompletionTokens,
		"openai/gpt-5.1": maxCompletionTokens, "gpt-6-sol": maxCompletionTokens,
	} {
		if got := limitParameterOf(model); got != want {
			t.Errorf("%s: got %s, want %s", model, got, want)
		}
	}
}

func TestStream_ContextTooLong(t *testing.T) {
	for server, fault := range map[string]agenttest.Fault{
		"OpenAI":    {Status: 400, Message: "This model's maximum context length is 8192 tokens."},
		"llama.cpp": {Status: 500, Message: "the request exceeds the available context size, try increasing it"},
		"vLLM":      {Status: 400, Message: "'max_tokens' is too large: 900. This model's maximum context length is 512 tokens"},
		"Ollama":    {Status: 400, Message: "prompt too long; exceeded max context length by 17 tokens"},
		"LM Studio": {Status: 400, Message: "the model is loaded with context length of only 4096 tokens"},
		"Groq":      {Status: 413, Message: "Request too large for model llama: please reduce your message size"},
	} {
		t.Run(server, func(t *testing.T) {
			s := agenttest.New(t, agenttest.Script{Replies: []agenttest.Reply{{Fault: fault}}})
			p := ask()
			p.MaxTokens = 900
			h := receive(t.Context(), quick(s), p)
			if !errors.Is(h.err, agent.ErrContextTooLong) || errs.CodeOf(h.err) != errs.TooLarge || len(s.Requests()) != 1 {
				t.Errorf("got %v after %d requests", h.err, len(s.Requests()))
			}
		})
	}
}
