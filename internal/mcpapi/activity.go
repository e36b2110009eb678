package mcpapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"lens/agent"
	"lens/retrieval"
	"lens/retrieval/timebin"
)

// activity counts all turns over time.
type activity struct {
	archive   Archive
	arguments arguments[activityArguments]
}

type activityArguments struct {
	Start string `json:"start_time,omitempty" jsonschema:"From the beginning of this time: 2024, 2024-05, 2024-05-03 or RFC 3339, UTC."`
	End   string `json:"end_time,omitempty" jsonschema:"Up to the beginning of this time, which is not included: end_time 2024-06 ends with May."`
	Bin   string `json:"bin,omitempty" jsonschema:"Width of a bin: auto, hour, day, week, month, quarter, year, or 3d, 6h. Default auto."`
}

func newActivity(archive Archive) *activity {
	return &activity{archive, argumentsOf[activityArguments]("activity", "use start_time, end_time and bin, each a string")}
}

// Spec implements agent.Tool.
func (t *activity) Spec() agent.Spec {
	return agent.Spec{
		Name: "activity", Schema: t.arguments.schema,
		Description: "Counts all turns of the archive over time, whatever they are about: when this person chatted, and how much. Tells a quiet stretch of a subject from a quiet stretch of everything.",
	}
}

// Call implements agent.Tool. Outcome.Detail is a *retrieval.Activity.
func (t *activity) Call(ctx context.Context, text json.RawMessage) (agent.Outcome, error) {
	opts, err := t.read(text, time.Now())
	if err != nil {
		return agent.Outcome{}, err
	}
	a, err := t.archive.Activity(ctx, opts)
	if err != nil {
		return agent.Outcome{}, err
	}
	return agent.Outcome{Text: describe(a.Histogram), Detail: a}, nil
}

// read returns what is meant; relative times count back from now.
func (t *activity) read(text json.RawMessage, now time.Time) (o retrieval.ActivityOptions, err error) {
	a, err := t.arguments.read(text)
	if err != nil {
		return o, err
	}
	o.Bin = a.Bin
	for _, bound := range []struct {
		name, text string
		to         *time.Time
	}{{"start_time", a.Start, &o.Since}, {"end_time", a.End, &o.Until}} {
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
	var told *timebin.Error
	if errors.As(err, &told) {
		return t.arguments.invalid(name+" is no time", told.Hint)
	}
	return err
}

// describe writes a histogram for a model: the bins that hold something.
func describe(h retrieval.Histogram) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d turns, %d of them undated, by %s; bins that are not listed hold none:\n", h.Total, h.Undated, h.Bin)
	bin, err := timebin.Parse(h.Bin)
	for _, bucket := range h.Buckets {
		if bucket.Count > 0 && err == nil {
			fmt.Fprintf(&b, "%s: %d\n", bin.Label(bucket.Start.Unix()), bucket.Count)
		}
	}
	return strings.TrimSpace(b.String())
}
