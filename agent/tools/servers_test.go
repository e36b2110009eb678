package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"lens/agent"
	"lens/agent/agenttest"
	"lens/internal/bpe"
	"lens/retrieval"
)

// Investigations with servers that take less than OpenAI's.

// reading returns a reply that reads n turns, from the first on.
func reading(first, n int) agenttest.Reply {
	var r agenttest.Reply
	for i := range n {
		r.Calls = append(r.Calls, agenttest.Call{Name: agent.ToolTurn, Arguments: fmt.Sprintf(`{"turn_id":"%08x-0000-4000-8000-000000000000"}`, first+i)})
	}
	return r
}

// libraryEngine has a turn under every id.
type libraryEngine struct{ fakeEngine }

func (e *libraryEngine) Turn(_ context.Context, id string) (*retrieval.Turn, error) {
	found := e.turn
	var err error
	found.TurnID, err = uuid.Parse(id)
	return &found, err
}

// doneOf returns the last event of a run that must have succeeded.
func doneOf(t *testing.T, req agent.Request) agent.Done {
	t.Helper()
	events, err := collect(agent.Run(t.Context(), req))
	if err != nil {
		t.Fatal(err)
	}
	return events[len(events)-1].(agent.Done)
}

// A server of a model with a window of 8,192 tokens refuses a request whose input and output limit do not fit together.
func TestInvestigation_SmallWindow(t *testing.T) {
	const window = 8192
	rounds := 0
	var limits []int // of accepted requests
	refuse := func(message string) agenttest.Reply {
		return agenttest.Reply{Fault: agenttest.Fault{Status: 400, Message: message}}
	}
	server := agenttest.NewFunc(t, func(r agenttest.Request) agenttest.Reply {
		var sent struct {
			Limit int `json:"max_tokens"`
		}
		if err := json.Unmarshal(r.Body, &sent); err != nil {
			return refuse("not JSON")
		}
		input := bpe.Cl100k().Count(string(r.Body))
		switch {
		case input > window:
			return refuse(fmt.Sprintf("This model's maximum context length is %d tokens. However, your request has %d input tokens.", window, input))
		case input+sent.Limit > window:
			return refuse(fmt.Sprintf("'max_tokens' or 'max_completion_tokens' is too large: %d. This model's maximum context length is %d tokens and "+
				"your request has %d input tokens (%[1]d > %[2]d - %[3]d).", sent.Limit, window, input))
		}
		limits = append(limits, sent.Limit)
		if rounds++; rounds > 3 {
			return agenttest.Reply{Text: "So [1] and [6]."}
		}
		return reading(2*rounds, 2)
	})
	engine := &libraryEngine{}
	engine.turn = retrieval.Turn{Title: "T", User: "u", Assistant: strings.Repeat("The dough rose overnight. ", 300)}
	done := doneOf(t, requestTo(server, engine, "?"))
	if done.Truncated || len(done.Turns) != 2 || rounds != 4 {
		t.Errorf("got %+v after %d rounds", done, rounds)
	}
	if slices.Max(limits) > window || slices.Min(limits) < 512 {
		t.Errorf("accepted the limits %d", limits)
	}
}

// A model without parallel calls: its server refuses a conversation in which a message has several, in the words of the
// template of Llama 3. The model wrote two nevertheless.
func TestInvestigation_WithoutParallelCalls(t *testing.T) {
	refusals := 0
	server := agenttest.NewFunc(t, func(r agenttest.Request) agenttest.Reply {
		answered := 0
		for i, m := range r.Messages {
			if len(m.ToolCalls) > 1 {
				refusals++
				return agenttest.Reply{Fault: agenttest.Fault{Status: 400, Message: "This model only supports single tool-calls at once!"}}
			}
			if len(m.ToolCalls) == 1 && r.Messages[i+1].ToolCallID != m.ToolCalls[0].ID {
				return agenttest.Reply{Fault: agenttest.Fault{Status: 400, Message: "An assistant message with 'tool_calls' must be " +
					"followed by tool messages responding to each 'tool_call_id'."}}
			}
			if m.ToolCallID != "" {
				answered++
			}
		}
		var calls agenttest.Reply
		switch answered {
		case 0:
			calls = reading(1, 2)
		case 2:
			calls = reading(3, 3)
		default:
			return agenttest.Reply{Text: "So [1], [2] and [5]."}
		}
		calls.Style = agenttest.WithoutID // so that the ids of both rounds are the same
		return calls
	})
	engine := &libraryEngine{}
	engine.turn = retrieval.Turn{Title: "T", User: "u", Assistant: "a"}
	done := doneOf(t, requestTo(server, engine, "?"))
	last := string(server.Requests()[len(server.Requests())-1].Body)
	for turn := range 5 {
		if id := fmt.Sprintf("%08x-0000", 1+turn); strings.Count(last, id) != 2 { // in the call and in its result
			t.Errorf("turn %s is %d times in the last request", id, strings.Count(last, id))
		}
	}
	if len(done.Turns) != 3 || done.Truncated || refusals != 1 {
		t.Errorf("got %+v after %d refusals", done, refusals)
	}
	server = agenttest.NewFunc(t, func(r agenttest.Request) agenttest.Reply { // one that makes one call a round
		if n := len(r.Messages); n < 2+2*3 {
			return reading(n, 1)
		}
		return agenttest.Reply{Text: "So [1] and [3]."}
	})
	if done := doneOf(t, requestTo(server, engine, "?")); len(done.Turns) != 2 || done.Usage.Rounds != 4 {
		t.Errorf("one call a round: %+v", done)
	}
}

// Nothing in a request asks for parallel calls, which some models refuse to be asked about.
func TestInvestigation_ParallelCallsAreNotMentioned(t *testing.T) {
	server := agenttest.New(t, sourdough(t))
	doneOf(t, requestTo(server, demoEngine(t), "When did I bake sourdough?"))
	for _, r := range server.Requests() {
		if strings.Contains(string(r.Body), "parallel_tool_calls") {
			t.Errorf("sent %s", r.Body)
		}
	}
}

// A model asks for 500 calls at once: eight are run, and each of the others gets a reason, in the order of the calls.
func TestInvestigation_ManyCallsInOneRound(t *testing.T) {
	for _, style := range []agenttest.Style{agenttest.IDFirst, agenttest.Unindexed, agenttest.WithoutID} {
		many := reading(1, 500)
		many.Style = style
		server := agenttest.New(t, agenttest.Script{Replies: []agenttest.Reply{many, {Text: "So [8]."}}})
		engine := &libraryEngine{}
		engine.turn = retrieval.Turn{Title: "T", User: "u", Assistant: "a"}
		done := doneOf(t, requestTo(server, engine, "?"))
		refused := 0
		for _, s := range done.Trace {
			if s.Error != nil && s.Error.Code == "budget" {
				refused++
			}
		}
		if len(done.Turns) != 1 || len(done.Trace) != 500 || refused != 492 {
			t.Errorf("%q: %d calls, %d refused, cites %v", style, len(done.Trace), refused, done.Turns)
		}
		asked := map[string]bool{}
		results := 0
		for _, m := range server.Requests()[1].Messages {
			for _, c := range m.ToolCalls {
				asked[c.ID] = true
			}
			if m.ToolCallID != "" {
				if results++; !asked[m.ToolCallID] {
					t.Fatalf("%q: a result of %q, which was not asked for", style, m.ToolCallID)
				}
			}
		}
		if len(asked) != 500 || results != 500 {
			t.Errorf("%q: %d calls with different ids, %d results", style, len(asked), results)
		}
	}
}
