package agent

import (
	"context"
	"encoding/json"
	"errors"
)

// onePassTurns is how many turns are read for a model that cannot choose them.
const maxOnePassTurns = 8

// onePass looks once for the question itself and reads what comes nearest, because the model cannot call tools.
func (r *run) onePass(ctx context.Context) phase {
	r.emit(Notice{Code: "one_pass", Message: r.Model.Name() + " cannot call tools: it answers from one search for the question as it stands."})
	r.withoutTools = true
	question := r.Messages[len(r.Messages)-1].Text
	found, err := r.callDirectly(ctx, Peek, map[string]any{"query": question})
	if err != nil {
		return r.fail(ctx, err)
	}
	for _, id := range found[:min(maxOnePassTurns, r.Budget.Turns, len(found))] {
		if _, err := r.callDirectly(ctx, Hydrate, map[string]any{"turn_id": id}); err != nil {
			return r.fail(ctx, err)
		}
	}
	r.conversation.add(Message{Role: User, Text: "That is all that can be looked up. Answer my question from it, and cite it."})
	return r.synthesize
}

// look makes a call in the model's place, and puts what it brought before the model as a message of the user's: one that cannot call tools
// knows no results of tools either.
func (r *run) callDirectly(ctx context.Context, tool string, arguments map[string]any) (found []string, err error) {
	if r.tools[tool] == nil {
		return nil, &Error{Code: "invalid", Op: op, Message: "there is no tool " + tool, Err: errors.ErrUnsupported}
	}
	text, err := json.Marshal(arguments)
	if err != nil {
		return nil, err
	}
	err = r.runCall(ctx, Call{Name: tool, Arguments: string(text)})
	return r.found, err
}
