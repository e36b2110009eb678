package tools

import (
	"context"
	_ "embed"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/google/uuid"

	"lens/agent"
	"lens/retrieval/query"
)

//go:embed peek.md
var peekText string

var peekArguments = argumentsOf(agent.ToolPeek,
	[]argument{
		textArgument("query", "What to look for, in words that the person may have used. May be absent if there is a filter.",
			jsonschema.Ptr(1), func(q *query.Query, text string) { q.Text = text }),
		listArgument("phrases", "Each occurs word for word.", func(q *query.Query) *[]string { return &q.Phrases }),
		listArgument("without", "Words and phrases that no turn may contain.",
			func(q *query.Query) *[]string { return &q.Without }),
		textArgument("like", "The id of a turn, to find similar turns instead of a query.", nil,
			func(q *query.Query, text string) { q.Like = text }),
		integerArgument("top_k", "How many turns are found and counted over time. Default 100.", 1, query.MaxTopK,
			func(q *query.Query, n int) { q.TopK = &n }),
	},
	filterArguments(query.Filters),
	[]argument{
		binArgument,
		integerArgument("top_n_snippets", "How many matches are listed with snippets. Default 10.", 0, query.MaxSnippets,
			func(q *query.Query, n int) { q.Snippets = &n }),
		datesArgument,
	},
)

// peek searches turns and reports when they were.
type peek struct {
	engine Engine
	opts   Options
}

// Spec implements agent.Tool.
func (*peek) Spec() agent.Spec {
	return agent.Spec{Name: agent.ToolPeek, Description: strings.TrimSpace(peekText), Schema: peekArguments().raw}
}

// Call implements agent.Tool. Outcome.Detail is a *retrieval.Peek, and Outcome.Asked the query that was searched.
func (t *peek) Call(ctx context.Context, text json.RawMessage) (agent.Outcome, error) {
	now := t.opts.Now
	if now.IsZero() {
		now = time.Now()
	}
	q, err := peekArguments().read(text, now)
	if err == nil {
		err = q.Validate()
	}
	if err != nil {
		return agent.Outcome{}, err
	}
	asked := q
	if err := t.restrict(&q); err != nil {
		return agent.Outcome{}, err
	}
	p, err := t.engine.Peek(ctx, q)
	if err != nil {
		return agent.Outcome{}, err
	}
	if q.Like != "" {
		q.Like = p.Like.String()
	}
	outcome := agent.Outcome{
		Text: describe(p), Brief: brief(asked, p), Gist: gist(p), Report: report(asked, p),
		Confidence: p.Coverage.Confidence, Doubt: p.HardlySpeaks(), Detail: p, Asked: q, Histogram: p.Histogram,
	}
	for _, m := range p.Matches {
		outcome.Found = append(outcome.Found, m.TurnID.String())
	}
	return outcome, nil
}

// restrict applies the options.
func (t *peek) restrict(q *query.Query) error {
	q.Mode = t.opts.Mode
	only := t.opts.Conversation
	if only == uuid.Nil {
		return nil
	}
	if slices.ContainsFunc(q.Filter.Conversations.In, func(id uuid.UUID) bool { return id != only }) {
		return invalid(agent.ToolPeek, "only conversation %s can be searched", only)
	}
	q.Filter.Conversations.In = []uuid.UUID{only}
	return nil
}
