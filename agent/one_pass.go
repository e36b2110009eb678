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
	found, err := r.callDirectly(ctx, ToolPeek, map[string]any{"query": r.question()})
	if err != nil {
		return r.fail(ctx, err)
	}
	for _, id := range found[:min(maxOnePassTurns, r.Budget.Turns, len(found))] {
		if _, err := r.callDirectly(ctx, ToolTurn, map[string]any{"turn_id": id}); err != nil {
			return r.fail(ctx, err)
		}
	}
	const instruction = "No more turns can be read. Answer my question from these, and cite them."
	r.conversation.add(Message{Role: User, Text: instruction})
	return r.synthesize
}

// callDirectly makes a call for the model and adds the result as a user message, because a model without
// tools cannot read tool results either.
func (r *run) callDirectly(ctx context.Context, tool string, arguments map[string]any) (found []string, err error) {
	if r.tools[tool] == nil {
		return nil, &errs.Error{Code: errs.Invalid, Op: op, Message: "no such tool: " + tool, Err: errors.ErrUnsupported}
	}
	text, err := json.Marshal(arguments)
	if err != nil {
		return nil, err
	}
	err = r.runCall(ctx, Call{Name: tool, Arguments: string(text)})
	return r.found, err
}
