package openai

import (
	"encoding/json"
	"errors"
	"fmt"
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
		"vLLM":      {Status: 400, Message: "'max_tokens' is too large: 900. This model's maximum context length is 512"},
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
