package agent

import (
	"context"
	"encoding/json"
	"errors"

	"lens/internal/errs"
)

// maxOnePassTurns is how many turns are read for a model that cannot choose them.
const maxOnePassTurns = 8

// onePass searches once for the question itself and reads the nearest turns, for a model that cannot call
// tools.
func (r *run) onePass(ctx context.Context) phase {
	r.emit(Notice{
		Code:    "one_pass",
		Message: r.Model.Name() + " cannot call tools, so it answers from a single search for the question.",
	})
	r.withoutTools = true
	err := r.callDirectly(ctx, ToolPeek, "query", r.question())
	if err == nil && len(r.found) > 0 {
		most := min(maxOnePassTurns, r.Budget.Turns, r.Budget.Calls, len(r.found))
		err = r.callDirectly(ctx, ToolTurn, "turn_id", r.found[:most]...)
	}
	if err != nil {
		return r.fail(ctx, err)
	}
	const instruction = "No more turns can be read. Answer my question from these, and cite them."
	r.conversation.add(Message{Role: User, Text: instruction})
	return r.synthesize
}

// callDirectly makes calls for the model, one for each value of their argument, and adds the results as user messages,
// because a model without tools cannot read tool results either.
func (r *run) callDirectly(ctx context.Context, tool, argument string, values ...string) error {
	if r.tools[tool] == nil {
		return &errs.Error{Code: errs.Invalid, Op: op, Message: "no such tool: " + tool, Err: errors.ErrUnsupported}
	}
	calls := make([]Call, len(values))
	for i, value := range values {
		text, _ := json.Marshal(map[string]string{argument: value}) // strings always marshal
		calls[i] = Call{Name: tool, Arguments: string(text)}
	}
	return r.runCalls(ctx, r.plan(calls))
}
