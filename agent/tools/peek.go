package tools

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"

	"lens/agent"
	"lens/internal/errs"
	"lens/retrieval/query"
	"lens/retrieval/timebin"
)

//go:embed peek.md
var peekText string

//go:embed peek.schema.json
var peekJSON []byte

var peekSchema = schemaOf(peekJSON)

// peek searches turns and reports when they were.
type peek struct {
	engine Engine
	opts   Options
}

// Spec implements agent.Tool.
func (*peek) Spec() agent.Spec {
	return agent.Spec{Name: agent.ToolPeek, Description: strings.TrimSpace(peekText), Schema: peekJSON}
}

type peekArguments struct {
	Query        string `json:"query"`
	TopK         int    `json:"top_k"`
	Start        string `json:"start_time"`
	End          string `json:"end_time"`
	Bin          string `json:"bin"`
	Conversation string `json:"conversation_id"`
	Snippets     *int   `json:"top_n_snippets"`
}

// Call implements agent.Tool. Outcome.Detail is a *retrieval.Peek.
func (t *peek) Call(ctx context.Context, arguments json.RawMessage) (agent.Outcome, error) {
	var a peekArguments
	if err := peekSchema().read(agent.ToolPeek, arguments, &a); err != nil {
		return agent.Outcome{}, err
	}
	q, err := t.query(a)
	if err != nil {
		return agent.Outcome{}, err
	}
	p, err := t.engine.Peek(ctx, q)
	if err != nil {
		return agent.Outcome{}, err
	}
	outcome := agent.Outcome{Text: describe(p), Brief: brief(a, p), Gist: gist(p), Detail: p, Histogram: p.Histogram}
	for _, m := range p.Matches {
		outcome.Found = append(outcome.Found, m.TurnID.String())
	}
	return outcome, nil
}

// query translates the arguments.
func (t *peek) query(a peekArguments) (query.Query, error) {
	o := query.Query{Text: a.Query, Snippets: a.Snippets, Bin: a.Bin, Mode: t.opts.Mode}
	if a.TopK != 0 {
		o.TopK = &a.TopK
	}
	if t.opts.Conversation != uuid.Nil {
		o.Filter.Conversations.In = []uuid.UUID{t.opts.Conversation}
	}
	now := t.opts.Now
	if now.IsZero() {
		now = time.Now()
	}
	var err error
	if a.Start != "" {
		if o.Filter.Since, err = timebin.ParseSince(a.Start, now); err != nil {
			return o, wrongTime("start_time", err)
		}
	}
	if a.End != "" {
		if o.Filter.Until, err = timebin.ParseSince(a.End, now); err != nil {
			return o, wrongTime("end_time", err)
		}
	}
	if a.Conversation == "" {
		return o, nil
	}
	id, err := uuid.Parse(a.Conversation)
	switch {
	case err != nil:
		return o, invalid(agent.ToolPeek, "conversation_id is not an ID; copy a complete ID from peek")
	case t.opts.Conversation != uuid.Nil && id != t.opts.Conversation:
		return o, invalid(agent.ToolPeek, "only conversation %s can be searched", t.opts.Conversation)
	}
	o.Filter.Conversations.In = []uuid.UUID{id}
	return o, nil
}

func wrongTime(argument string, err error) error {
	hint := ""
	var parseError *errs.Error
	if errors.As(err, &parseError) {
		hint = "; " + parseError.Hint
	}
	return invalid(agent.ToolPeek, "%s is not a date or time%s", argument, hint)
}
