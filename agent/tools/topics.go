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
)

// Describer is the part of retrieval.Engine that knows what chats are about.
type Describer interface {
	Topics(ctx context.Context, q query.Query) (*retrieval.Topics, error)
	WindowNamed(ctx context.Context, text string, now time.Time) (retrieval.Window, error)
	About(ctx context.Context, w retrieval.Window) (*retrieval.About, error)
}

var topicsArguments = argumentsOf("topics", filterArguments(query.WindowFilters()), []argument{binArgument})

// listTopics lists what chats are about.
type listTopics struct{ engine Describer }

// NewTopics returns the tool topics.
func NewTopics(engine Describer) agent.Tool { return &listTopics{engine} }

// Spec implements agent.Tool.
func (*listTopics) Spec() agent.Spec {
	return agent.Spec{
		Name: "topics", Schema: topicsArguments().raw,
		Description: "Lists the topics of the user's chats with their turns over time, and which came back after a long " +
			"silence. Use it for questions about interests and habits; the argument topic of peek takes a topic's number.",
	}
}

// Call implements agent.Tool. Outcome.Detail is a *retrieval.Topics.
func (t *listTopics) Call(ctx context.Context, text json.RawMessage) (agent.Outcome, error) {
	q, err := topicsArguments().read(text, time.Now())
	if err != nil {
		return agent.Outcome{}, err
	}
	found, err := t.engine.Topics(ctx, q)
	if err != nil {
		return agent.Outcome{}, err
	}
	return agent.Outcome{Text: describeTopics(found), Detail: found}, nil
}

// describeTopics writes a line a topic for a model.
func describeTopics(t *retrieval.Topics) string {
	var b strings.Builder
	if t.Notice != "" {
		b.WriteString(t.Notice + "\n")
	}
	for _, topic := range t.Topics {
		fmt.Fprintf(&b, "%d. %s (%q): %d turns in %d chats",
			topic.ID, topic.Label, topic.Title, topic.Turns, topic.Conversations)
		if topic.First != nil && topic.Last != nil {
			fmt.Fprintf(&b, ", %s to %s", topic.First.Format(time.DateOnly), topic.Last.Format(time.DateOnly))
		}
		for _, peak := range largest(topic.Peaks) {
			fmt.Fprintf(&b, "; %d from %s", peak.Count, peak.Start.Format(time.DateOnly))
		}
		if r := topic.Returned; r != nil {
			fmt.Fprintf(&b, "; came back on %s after %d days", r.Back.Format(time.DateOnly), r.Days)
		}
		b.WriteByte('\n')
	}
	return strings.TrimSpace(b.String())
}

var aboutArguments = argumentsOf("about", []argument{textArgument("when",
	"A time: 2024, 2024-Q2, 2024-05, 2024-05-03, last 90d, last summer, or 2024-05..2024-07.",
	nil, func(q *query.Query, text string) { q.Text = text })})

// about says what a time was about.
type about struct{ engine Describer }

// NewAbout returns the tool about.
func NewAbout(engine Describer) agent.Tool { return &about{engine} }

// Spec implements agent.Tool.
func (*about) Spec() agent.Spec {
	return agent.Spec{
		Name: "about", Schema: aboutArguments().raw,
		Description: "Says what the user's chats were about in a time: topics with their turns and usual share, and titles.",
	}
}

// Call implements agent.Tool. Outcome.Detail is a *retrieval.About.
func (t *about) Call(ctx context.Context, text json.RawMessage) (agent.Outcome, error) {
	q, err := aboutArguments().read(text, time.Now())
	if err != nil {
		return agent.Outcome{}, err
	}
	window, err := t.engine.WindowNamed(ctx, q.Text, time.Now())
	if err != nil {
		return agent.Outcome{}, err
	}
	found, err := t.engine.About(ctx, window)
	if err != nil {
		return agent.Outcome{}, err
	}
	return agent.Outcome{Text: describeAbout(found), Detail: found}, nil
}

// describeAbout writes a line a topic for a model.
func describeAbout(a *retrieval.About) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d turns in %d chats\n", a.Turns, a.Conversations)
	if a.Notice != "" {
		b.WriteString(a.Notice + "\n")
	}
	for _, t := range a.Ranked() {
		fmt.Fprintf(&b, "%d. %s (%q): %d turns, %.0f%%", t.ID, t.Label, t.Title, t.Turns, 100*t.Share)
		if a.KnowsUsual() {
			fmt.Fprintf(&b, "; usually %.0f%%", 100*t.Usual)
			switch {
			case t.Unusual:
				b.WriteString("; more than usual")
			case t.Less:
				b.WriteString("; less than usual")
			}
		}
		b.WriteByte('\n')
	}
	for _, t := range a.Titles {
		fmt.Fprintf(&b, "title %q: %d turns\n", t.Title, t.Turns)
	}
	return strings.TrimSpace(b.String())
}
