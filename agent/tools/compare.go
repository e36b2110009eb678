package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"lens/agent"
	"lens/retrieval"
	"lens/retrieval/query"
)

// Comparer is the part of retrieval.Engine that compares queries.
type Comparer interface {
	Compare(ctx context.Context, queries []query.Query) (*retrieval.Comparison, error)
}

var compareArguments = argumentsOf("compare",
	[]argument{queriesArgument(), integerArgument("top_k",
		fmt.Sprintf("How many turns of each query are found and counted over time. Default %d.", query.MaxTopK),
		1, query.MaxTopK,
		func(q *query.Query, n int) { q.TopK = &n })},
	filterArguments(query.Filters),
	[]argument{binArgument},
)

// queriesArgument is the list of queries. They are read as phrases, which no query of a comparison has, and taken from
// there.
func queriesArgument() argument {
	a := listArgument("queries", fmt.Sprintf("What to compare, up to %d.", retrieval.MaxCompared),
		func(q *query.Query) *[]string { return &q.Phrases })
	a.schema.MinItems, a.schema.MaxItems = jsonschema.Ptr(1), jsonschema.Ptr(retrieval.MaxCompared)
	return a
}

// compare finds the turns of several queries and counts them over the same bins.
type compare struct{ engine Comparer }

// NewCompare returns the tool compare, which an investigation does without.
func NewCompare(engine Comparer) agent.Tool { return &compare{engine} }

// Spec implements agent.Tool.
func (*compare) Spec() agent.Spec {
	return agent.Spec{
		Name: "compare", Schema: compareArguments().raw,
		Description: "Counts the turns of several queries over time, in the same bins. " +
			"Use it to see which subject came first, or when one replaced another.",
	}
}

// Call implements agent.Tool. Outcome.Detail is a *retrieval.Comparison.
func (t *compare) Call(ctx context.Context, text json.RawMessage) (agent.Outcome, error) {
	shared, err := compareArguments().read(text, time.Now())
	if err != nil {
		return agent.Outcome{}, err
	}
	texts := shared.Phrases
	if len(texts) == 0 {
		return agent.Outcome{}, invalid("compare", "queries is missing")
	}
	shared.Phrases, shared.Snippets = nil, new(1)
	if shared.TopK == nil {
		shared.TopK = new(query.MaxTopK)
	}
	queries := make([]query.Query, len(texts))
	for i, text := range texts {
		queries[i] = shared
		queries[i].Text = text
		if err := queries[i].Validate(); err != nil {
			return agent.Outcome{}, err
		}
	}
	c, err := t.engine.Compare(ctx, queries)
	if err != nil {
		return agent.Outcome{}, err
	}
	return agent.Outcome{Text: describeComparison(c), Detail: c}, nil
}

// describeComparison writes the counts of each query for a model.
func describeComparison(c *retrieval.Comparison) string {
	var b strings.Builder
	if c.Notice != "" {
		b.WriteString(c.Notice + "\n")
	}
	for _, p := range c.Peeks {
		fmt.Fprintf(&b, "%s: %d turns among %d in the window (%s).\n",
			strings.Join(strings.Fields(p.Query), " "), p.Histogram.Total, p.Coverage.Candidates, p.Mode)
		describeMentions(&b, p.Mentions)
		describeHistogram(&b, p.Histogram)
	}
	return strings.TrimSpace(b.String())
}
