package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strings"
	"testing"

	"lens/internal/errs"
)

// fakeModel sends one message per request, in deltas of a few bytes. The last message repeats.
type fakeModel struct {
	messages []fakeMessage
	prompts  []Prompt
	sent     int // bytes of text
	refused  int // prompts
}

type fakeMessage struct {
	notices        []Notice // sent first
	thought        string   // sent before the text, then discarded
	endlessThought string   // sent before the text, as thinking

	text   string
	calls  []Call
	finish Finish // "": Stop
	err    error  // instead of the end
}

func (m *fakeModel) Name() string           { return "fake" }
func (m *fakeModel) Tokens(text string) int { return (len(text) + 3) / 4 }

func (m *fakeModel) Stream(ctx context.Context, p Prompt) iter.Seq2[Delta, error] {
	return func(yield func(Delta, error) bool) {
		next := m.messages[min(len(m.prompts), len(m.messages)-1)]
		m.prompts = append(m.prompts, p)
		for _, n := range next.notices {
			if !yield(Delta{Notice: &n}, nil) {
				return
			}
		}
		if next.thought != "" && (!yield(Delta{Text: next.thought}, nil) || !yield(Delta{DiscardText: true}, nil)) {
			return
		}
		for rest := next.endlessThought; rest != ""; {
			n := min(5, len(rest))
			if !yield(Delta{Thought: rest[:n]}, nil) {
				return
			}
			rest = rest[n:]
		}
		for rest := next.text; rest != ""; {
			n := min(5, len(rest))
			m.sent += n
			if ctx.Err() != nil || !yield(Delta{Text: rest[:n]}, nil) {
				return
			}
			rest = rest[n:]
		}
		if next.err != nil {
			yield(Delta{}, next.err)
			return
		}
		d := Delta{Calls: next.calls, Finish: next.finish}
		if d.Finish == "" {
			d.Finish = Stop
		}
		yield(d, nil)
	}
}

// windowModel refuses a prompt that does not fit its window beside 500 tokens of output.
type windowModel struct {
	fakeModel
	window int
}

func (m *windowModel) Stream(ctx context.Context, p Prompt) iter.Seq2[Delta, error] {
	size := 500
	for _, message := range p.Messages {
		size += m.Tokens(message.Text)
	}
	for _, s := range p.Tools {
		size += 3000 + m.Tokens(s.Description)
	}
	if size <= m.window {
		return m.fakeModel.Stream(ctx, p)
	}
	m.refused++
	return func(yield func(Delta, error) bool) {
		yield(Delta{}, &errs.Error{Code: errs.TooLarge, Op: "test", Message: "too long", Err: ErrContextTooLong})
	}
}

// fakePeek returns the same turns for every query.
type fakePeek struct{ found []string }

func (fakePeek) Spec() Spec {
	return Spec{Name: ToolPeek, Description: "finds", Schema: json.RawMessage(`{"type":"object"}`)}
}

func (p fakePeek) Call(_ context.Context, arguments json.RawMessage) (Outcome, error) {
	var a struct{ Query string }
	if json.Unmarshal(arguments, &a) != nil || a.Query == "" {
		return Outcome{}, &errs.Error{Code: errs.Invalid, Op: "peek", Message: "the query is empty"}
	}
	return Outcome{Text: strings.Join(p.found, "\n"), Brief: "found some", Gist: fmt.Sprint(len(p.found), " turns"), Found: p.found, Histogram: "a histogram"}, nil
}

// doubtfulPeek returns one outcome after the other.
type doubtfulPeek struct {
	fakePeek
	searches []Outcome
}

func (p *doubtfulPeek) Call(context.Context, json.RawMessage) (Outcome, error) {
	next := p.searches[0]
	p.searches = p.searches[1:]
	return next, nil
}

// fakeTurn returns turns by id.
type fakeTurn map[string]*Turn

func (fakeTurn) Spec() Spec {
	return Spec{Name: ToolTurn, Description: "reads", Schema: json.RawMessage(`{"type":"object"}`)}
}

func (h fakeTurn) Call(_ context.Context, arguments json.RawMessage) (Outcome, error) {
	var a struct {
		ID string `json:"turn_id"`
	}
	_ = json.Unmarshal(arguments, &a)
	t := h[a.ID]
	if t == nil {
		return Outcome{}, &errs.Error{Code: errs.NotFound, Op: "turn", Message: "there is no such turn"}
	}
	return Outcome{Gist: t.Title, Turn: t}, nil
}

// fakeTools returns tools for n turns, "t1" to "tn".
func fakeTools(n int) []Tool {
	p, h := fakePeek{}, fakeTurn{}
	for i := range n {
		id := fmt.Sprint("t", i+1)
		h[id] = &Turn{ID: id, Title: "Title " + id, User: "question " + id, Assistant: "reply " + id, Answer: "answer " + id}
		p.found = append(p.found, id)
	}
	return []Tool{p, h}
}

func call(id, name, arguments string) Call { return Call{ID: id, Name: name, Arguments: arguments} }

func hydrate(n int) Call {
	return call(fmt.Sprint("c", n), ToolTurn, fmt.Sprintf(`{"turn_id":"t%d"}`, n))
}

func question(text string) []Message { return []Message{{Role: User, Text: text}} }

// followUp asks after an answer, so that the model may answer without a look at the archive.
func followUp(text string) []Message {
	return []Message{{Role: User, Text: "before?"}, {Role: Assistant, Text: "Before."}, {Role: User, Text: text}}
}

// recorded holds what a run yielded.
type recorded struct {
	events []Event
	err    error
}

func record(ctx context.Context, req Request) recorded {
	var h recorded
	for e, err := range Run(ctx, req) {
		if err != nil {
			h.err = err
		} else {
			h.events = append(h.events, e)
		}
	}
	return h
}

// all returns the events of one type.
func all[E Event](h recorded) []E {
	var list []E
	for _, e := range h.events {
		if e, ok := e.(E); ok {
			list = append(list, e)
		}
	}
	return list
}

// done returns the last event, which must be Done.
func (h recorded) done(t *testing.T) Done {
	t.Helper()
	if h.err != nil || len(h.events) == 0 {
		t.Fatalf("ended with %v after %v", h.err, h.kinds())
	}
	d, ok := h.events[len(h.events)-1].(Done)
	if !ok {
		t.Fatalf("ended with %v", h.kinds())
	}
	return d
}

// shownText returns the text that a client shows at the end.
func (h recorded) shownText() string {
	var text string
	for _, e := range h.events {
		switch e := e.(type) {
		case Text:
			text += e.Text
		case Withdrawn:
			text = ""
		}
	}
	return text
}

// kinds lists the kinds of events, repeated deltas once.
func (h recorded) kinds() string {
	var kinds []string
	for _, e := range h.events {
		if k := e.Kind(); len(kinds) == 0 || k != kinds[len(kinds)-1] {
			kinds = append(kinds, k)
		}
	}
	return strings.Join(kinds, " ")
}
