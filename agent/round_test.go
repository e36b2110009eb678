package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"lens/internal/errs"
)

// manyCalls returns n different peeks.
func manyCalls(n int) []Call {
	calls := make([]Call, n)
	for i := range calls {
		calls[i] = call(fmt.Sprint("call", i), ToolPeek, fmt.Sprintf(`{"query":"q%d"}`, i))
	}
	return calls
}

func TestRun_ManyCallsInOneRound(t *testing.T) {
	for name, c := range map[string]struct{ budget, sent int }{"all answered": {0, 500}, "without room": {6000, 8}} {
		t.Run(name, func(t *testing.T) {
			m := &fakeModel{messages: []fakeMessage{{calls: manyCalls(500)}, {text: "so"}}}
			h := record(context.Background(), Request{Model: m, Tools: reportingTools(1), Messages: question("?"), Budget: Budget{Tokens: c.budget}})
			d := h.done(t)
			ran := 0
			for i, s := range d.Trace {
				if s.Error == nil {
					ran++
				} else if s.Error.Code != "budget" || !strings.Contains(s.Error.Message, "at most 8 calls") || i < 8 {
					t.Fatalf("call %d: %+v", i, s.Error)
				}
			}
			if ran != 8 || len(d.Trace) != 500 || len(all[ToolResult](h)) != 500 {
				t.Errorf("%d of %d calls were run", ran, len(d.Trace))
			}
			var asked, answered []string
			for _, message := range m.prompts[1].Messages {
				for _, call := range message.Calls {
					asked = append(asked, call.ID)
				}
				if message.Role == ToolRole {
					answered = append(answered, message.Call)
				}
			}
			if len(asked) != c.sent || !slices.Equal(asked, answered) {
				t.Errorf("%d calls, %d answers", len(asked), len(answered))
			}
		})
	}
}

func TestRun_PanicOfACall(t *testing.T) {
	defer func() {
		if fault := recover(); fault != "a fault" {
			t.Errorf("recovered %v", fault)
		}
	}()
	m := &fakeModel{messages: []fakeMessage{{calls: []Call{call("a", ToolPeek, `{"query":"x"}`)}}}}
	record(context.Background(), Request{Model: m, Tools: []Tool{panickingPeek{}}, Messages: question("?")})
}

type panickingPeek struct{ fakePeek }

func (panickingPeek) Call(context.Context, json.RawMessage) (Outcome, error) { panic("a fault") }

func TestRun_FirstErrorOfARoundEndsIt(t *testing.T) {
	m := &fakeModel{messages: []fakeMessage{{calls: []Call{hydrate(1), call("a", ToolPeek, `{"query":"x"}`), hydrate(2)}}}}
	h := record(context.Background(), Request{Model: m, Tools: []Tool{brokenPeek{}, fakeTools(2)[1]}, Messages: question("?")})
	if p := h.partial(t); !errors.Is(h.err, errStore) || len(p.Turns) != 2 || p.Turns[0].TurnID != "t1" || p.Turns[1].TurnID != "t2" {
		t.Errorf("%v, read %+v", h.err, p.Turns)
	}
}

func TestRun_ContextTooLong(t *testing.T) {
	long := &errs.Error{Code: errs.TooLarge, Op: "test", Message: "too long", Err: ErrContextTooLong}
	tools := fakeTools(6)
	for _, turn := range tools[1].(fakeTurn) {
		turn.Assistant = strings.Repeat("a long reply ", 200)
	}
	reading := fakeMessage{calls: []Call{hydrate(1), hydrate(2), hydrate(3), hydrate(4), hydrate(5)}}
	evidence := func(p Prompt) (n int) {
		for _, message := range p.Messages {
			if message.Role == ToolRole && !strings.HasPrefix(message.Text, "[left out") {
				n += len(message.Text)
			}
		}
		return n
	}
	m := &fakeModel{messages: []fakeMessage{reading, {err: long}, {text: "So [1] and [5]."}}}
	h := record(context.Background(), Request{Model: m, Tools: tools, Messages: question("?")})
	d := h.done(t)
	whole, half := evidence(m.prompts[1]), evidence(m.prompts[2])
	if fmt.Sprint(d.Turns) != "[t1 t5]" || len(m.prompts) != 3 || half > whole/2+200 || half < whole/2-400 || all[Notice](h)[0].Code != "evidence_halved" {
		t.Errorf("%d requests with %d and %d bytes of evidence, cites %v, %+v", len(m.prompts), whole, half, d.Turns, all[Notice](h))
	}
	m = &fakeModel{messages: []fakeMessage{reading, {text: "Some text", err: long}, {text: "So [1]."}}}
	h = record(context.Background(), Request{Model: m, Tools: tools, Messages: question("?")})
	if d := h.done(t); d.Answer != "So [1]." || len(all[Withdrawn](h)) != 1 {
		t.Errorf("after a beginning: %q, withdrawn %v", d.Answer, all[Withdrawn](h))
	}
	m = &fakeModel{messages: []fakeMessage{reading, {text: "Some text", err: long}, {err: long}}}
	h = record(context.Background(), Request{Model: m, Tools: tools, Messages: question("?")})
	if p := h.partial(t); p.Text != "Some text" {
		t.Errorf("after a beginning, and nothing more: %q", p.Text)
	}
	m = &fakeModel{messages: []fakeMessage{reading, {err: long}, {err: long}, {text: "never"}}}
	h = record(context.Background(), Request{Model: m, Tools: tools, Messages: question("?")})
	if p := h.partial(t); !errors.Is(h.err, ErrContextTooLong) || len(m.prompts) != 3 || len(p.Turns) != 5 {
		t.Errorf("%v after %d requests, read %+v", h.err, len(m.prompts), p.Turns)
	}
	for _, c := range []struct {
		messages []Message
		requests int
	}{{question("?"), 1}, {[]Message{{Role: User, Text: "a"}, {Role: Assistant, Text: "b"}, {Role: User, Text: "c"}}, 2}} {
		m = &fakeModel{messages: []fakeMessage{{err: long}}}
		if h = record(context.Background(), Request{Model: m, Messages: c.messages}); !errors.Is(h.err, ErrContextTooLong) || len(m.prompts) != c.requests {
			t.Errorf("%v after %d requests, want %d", h.err, len(m.prompts), c.requests)
		}
	}
}
