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
