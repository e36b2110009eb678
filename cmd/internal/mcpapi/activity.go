package mcpapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"lens/agent"
	"lens/internal/errs"
	"lens/retrieval"
	"lens/retrieval/query"
	"lens/retrieval/timebin"
)

// activity is the tool that counts all turns over time.
type activity struct {
	engine    Engine
	arguments arguments[activityArguments]
}

type activityArguments struct {
	Start string `json:"start_time,omitempty" jsonschema:"From this time on: 2024, 2024-05-03 or RFC 3339; UTC."`
	End   string `json:"end_time,omitempty" jsonschema:"Before this time: 2024-06 ends with May."`
	Bin   string `json:"bin,omitempty" jsonschema:"auto (default), hour, day, week, month, quarter, year, 6h, 3d, …"`
}

func newActivity(engine Engine) *activity {
	return &activity{engine, argumentsOf[activityArguments]("activity", "use start_time, end_time and bin, each a string")}
}

// Spec implements agent.Tool.
func (t *activity) Spec() agent.Spec {
	return agent.Spec{
		Name: "activity", Schema: t.arguments.schema,
		Description: "Counts all turns of the archive over time, whatever they are about. " +
			"Use it to tell a quiet period of one subject from a quiet period of everything.",
	}
}

// Call implements agent.Tool. Outcome.Detail is a *retrieval.Activity.
func (t *activity) Call(ctx context.Context, text json.RawMessage) (agent.Outcome, error) {
	opts, err := t.read(text, time.Now())
	if err != nil {
		return agent.Outcome{}, err
	}
	a, err := t.engine.Activity(ctx, opts)
	if err != nil {
		return agent.Outcome{}, err
	}
	return agent.Outcome{Text: describe(a.Histogram), Detail: a}, nil
}

// read parses the arguments; relative times count back from now.
func (t *activity) read(text json.RawMessage, now time.Time) (o query.Query, err error) {
	a, err := t.arguments.read(text)
	if err != nil {
		return o, err
	}
	o.Bin = a.Bin
	for _, bound := range []struct {
		name, text string
		to         *time.Time
	}{{"start_time", a.Start, &o.Filter.Since}, {"end_time", a.End, &o.Filter.Until}} {
		if bound.text == "" {
			continue
		}
		if *bound.to, err = timebin.ParseSince(bound.text, now); err != nil {
			return o, t.wrongTime(bound.name, err)
		}
	}
	return o, nil
}

func (t *activity) wrongTime(name string, err error) error {
	var timeErr *errs.Error
	if errors.As(err, &timeErr) {
		return t.arguments.invalid(name+" is not a date or time", timeErr.Hint)
	}
	return err
}

// describe writes the nonempty bins of a histogram for a model.
func describe(h retrieval.Histogram) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d turns, %d of them undated, by %s; bins not listed are empty:\n", h.Total, h.Undated, h.Bin)
	width, err := timebin.Parse(h.Bin)
	for _, bin := range h.Bins {
		if bin.Count > 0 && err == nil {
			fmt.Fprintf(&b, "%s: %d\n", width.Label(bin.Start.Unix()), bin.Count)
		}
	}
	return strings.TrimSpace(b.String())
}
