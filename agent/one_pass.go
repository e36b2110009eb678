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
	err := r.callDirectly(ctx, ToolPeek, r.search())
	if err == nil && len(r.found) > 0 {
		most := min(maxOnePassTurns, r.Budget.Turns, r.Budget.Calls, len(r.found))
		reads := make([]arguments, most)
		for i, id := range r.found[:most] {
			reads[i] = arguments{"turn_id": id}
		}
		err = r.callDirectly(ctx, ToolTurn, reads...)
	}
	if err != nil {
		return r.fail(ctx, err)
	}
	const instruction = "No more turns can be read. Answer my question from these, and cite them."
	r.conversation.add(Message{Role: User, Text: instruction})
	return r.synthesize
}

// arguments are those of a call that the run makes itself.
type arguments map[string]string

func (a arguments) String() string {
	text, _ := json.Marshal(a) // strings always marshal
	return string(text)
}

// search returns the arguments of a search for the question as the person asked it, where a date means one.
func (r *run) search() arguments { return arguments{"query": r.question(), "dates": "soft"} }

// callDirectly makes calls for the model and adds the results as user messages, because a model without tools cannot
// read tool results either.
func (r *run) callDirectly(ctx context.Context, tool string, each ...arguments) error {
	if r.tools[tool] == nil {
		return &errs.Error{Code: errs.Invalid, Op: op, Message: "no such tool: " + tool, Err: errors.ErrUnsupported}
	}
	calls := make([]Call, len(each))
	for i, given := range each {
		calls[i] = Call{Name: tool, Arguments: given.String()}
	}
	return r.runCalls(ctx, r.plan(calls))
}
