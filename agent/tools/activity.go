package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"lens/agent"
	"lens/retrieval"
	"lens/retrieval/query"
	"lens/retrieval/timebin"
)

// Counter is the part of retrieval.Engine that counts all turns.
type Counter interface {
	Activity(ctx context.Context, q query.Query) (*retrieval.Activity, error)
}

var activityArguments = argumentsOf("activity", filterArguments(query.ActivityFilters()), []argument{binArgument})

// activity counts all turns over time.
type activity struct{ engine Counter }

// NewActivity returns the tool activity, which an investigation does without.
func NewActivity(engine Counter) agent.Tool { return &activity{engine} }

// Spec implements agent.Tool.
func (*activity) Spec() agent.Spec {
	return agent.Spec{
		Name: "activity", Schema: activityArguments().raw,
		Description: "Counts all turns of the archive over time, whatever they are about. " +
			"Use it to tell a quiet period of one subject from a quiet period of everything.",
	}
}

// Call implements agent.Tool. Outcome.Detail is a *retrieval.Activity.
func (t *activity) Call(ctx context.Context, text json.RawMessage) (agent.Outcome, error) {
	q, err := activityArguments().read(text, time.Now())
	if err != nil {
		return agent.Outcome{}, err
	}
	a, err := t.engine.Activity(ctx, q)
	if err != nil {
		return agent.Outcome{}, err
	}
	return agent.Outcome{Text: describeActivity(a), Detail: a}, nil
}

// describeActivity writes the notice and the nonempty bins for a model.
func describeActivity(a *retrieval.Activity) string {
	h := a.Histogram
	var b strings.Builder
	if a.Notice != "" {
		b.WriteString(a.Notice + "\n")
	}
	fmt.Fprintf(&b, "%d turns, %d of them undated, by %s; bins not listed are empty:\n", h.Total, h.Undated, h.Bin)
	width, err := timebin.Parse(h.Bin)
	for _, bin := range h.Bins {
		if bin.Count > 0 && err == nil {
			fmt.Fprintf(&b, "%s: %d\n", width.Label(bin.Start.Unix()), bin.Count)
		}
	}
	return strings.TrimSpace(b.String())
}
