package agent

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// A model that cannot search by itself is not asked to, and a notice says so before it is asked.
func TestLimits_OnePass(t *testing.T) {
	for name, c := range map[string]struct {
		limits Limits
		says   string
	}{
		"no tools":   {Limits{Tools: ToolsRefused}, "fake cannot call tools, so it answers from a single search for the question."},
		"no context": {Limits{Context: 2048}, "fake has too small a context for Lens's tools (2,048 tokens), so it answers from a single search for the question."},
		"both":       {Limits{Tools: ToolsRefused, Context: 1024}, "fake cannot call tools, so it answers from a single search for the question."},
	} {
		for _, messages := range [][]Message{question("bread?"), followUp("bread?")} {
			m := &fakeModel{messages: []fakeMessage{{text: "So it was [1]."}}}
			h := record(context.Background(), Request{Model: m, Tools: fakeTools(30), Messages: messages, Limits: c.limits})
			d, first := h.done(t), h.events[0]
			if first != (Notice{Code: "one_pass", Message: c.says}) || c.limits.Explain("fake") != c.says {
				t.Errorf("%s: the first event is %+v", name, first)
			}
			if len(m.prompts) != 1 || len(m.prompts[0].Tools) > 0 || !d.Evidence {
				t.Errorf("%s: %d requests, %+v", name, len(m.prompts), d)
			}
			tokens := m.prompts[0].MaxTokens
			for _, message := range m.prompts[0].Messages {
				tokens += m.Tokens(message.Text)
			}
			if context := c.limits.Context; context > 0 && tokens > context {
				t.Errorf("%s: %d tokens", name, tokens)
			}
		}
	}
}

// A model whose server asks it for calls in a form of its own may manage, so it is let.
func TestLimits_Untrained(t *testing.T) {
	m := &fakeModel{messages: append(peeks(1)[:1], fakeMessage{calls: []Call{hydrate(1)}}, fakeMessage{text: "So it was [1]."})}
	limits := Limits{Tools: ToolsUntrained, Context: 16_384}
	h := record(context.Background(), Request{Model: m, Tools: fakeTools(30), Messages: question("bread?"), Limits: limits})
	notices := all[Notice](h)
	if len(notices) != 1 || notices[0].Code != "limits" || notices[0].Message != limits.Explain("fake") || h.events[0] != notices[0] {
		t.Errorf("notices %+v", notices)
	}
	if d := h.done(t); !d.Evidence || d.Usage.Rounds != 3 {
		t.Errorf("got %+v", d)
	}
}

// A server may drop the beginning of a request that is too long for its model, and say nothing.
func TestLimits_RequestsFitTheContext(t *testing.T) {
	for _, context := range []int{8_000, 16_384, 32_768} {
		tools := fakeTools(30)
		for _, turn := range tools[1].(fakeTurn) {
			turn.Assistant = strings.Repeat("word ", 5_000)
		}
		messages := []fakeMessage{}
		for i := range 6 {
			messages = append(messages, fakeMessage{calls: []Call{call("a", ToolPeek, fmt.Sprintf(`{"query":"%d"}`, i)), hydrate(2*i + 1), hydrate(2*i + 2)}})
		}
		m := &fakeModel{messages: append(messages, fakeMessage{text: "So it was [12]."})}
		h := record(t.Context(), Request{Model: m, Tools: tools, Messages: question("bread?"), Limits: Limits{Context: context}})
		if d := h.done(t); !d.Evidence || d.Usage.Rounds != 7 || len(all[Notice](h)) > 0 {
			t.Errorf("%d: got %+v, %+v", context, d, all[Notice](h))
		}
		for i, p := range m.prompts {
			tokens, read := p.MaxTokens, 0
			for _, message := range p.Messages {
				tokens += m.Tokens(message.Text)
				read += strings.Count(message.Text, "word word word")
			}
			if tokens > context || i > 0 && read == 0 {
				t.Errorf("%d: request %d has %d tokens, and %d words of turns", context, i, tokens, read)
			}
		}
	}
}

func TestLimits_Nothing(t *testing.T) {
	for _, l := range []Limits{{}, {Context: 131_072}, {Context: leastToolContext}} {
		if text := l.Explain("fake"); text != "" {
			t.Errorf("%+v: %s", l, text)
		}
	}
	if got, want := (Budget{}).orDefault().within(131_072), (Budget{}).orDefault(); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
