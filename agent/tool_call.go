package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"lens/internal/errs"
)

// specs returns the tools offered to the model, in the order of Request.Tools.
func (r *run) specs() []Spec {
	if r.withoutTools {
		return nil
	}
	specs := make([]Spec, len(r.Tools))
	for i, t := range r.Tools {
		specs[i] = t.Spec()
	}
	return specs
}

// runCall runs one call, or refuses it.
func (r *run) runCall(ctx context.Context, call Call) error {
	return r.perform(ctx, call, r.refusal(call))
}

// perform runs a call that is not refused, emits its events and adds the result to the conversation. It returns only
// errors that the model cannot act on.
func (r *run) perform(ctx context.Context, call Call, refused *ToolError) (err error) {
	arguments := argumentsOf(call)
	id := fmt.Sprintf("%d.%d", r.round, len(r.trace)+1)
	r.emit(ToolCall{ID: id, Round: r.round, Tool: call.Name, Arguments: arguments})
	began := time.Now()
	var outcome Outcome
	if refused == nil {
		if outcome, refused, err = r.callTool(ctx, call.Name, arguments); err != nil {
			return err
		}
	}
	n := r.addOutcome(call.ID, outcome, refused)
	took := inMilliseconds(time.Since(began))
	r.emit(ToolResult{
		ID: id, Round: r.round, Tool: call.Name, Took: took,
		Gist: outcome.Gist, N: n, Detail: outcome.Detail, Asked: outcome.Asked, Error: refused,
	})
	r.trace = append(r.trace, Step{
		Round: r.round, Tool: call.Name, Arguments: arguments, Gist: outcome.Gist, Error: refused, Took: took,
	})
	return nil
}

// refusal returns what the model should read instead of the result of a call, nil if the call may run.
func (r *run) refusal(call Call) *ToolError {
	switch _, known := r.tools[call.Name]; {
	case !known:
		return &ToolError{"unknown_tool", "no such tool; use " + strings.Join(r.toolNames(), " or ")}
	case r.repeatsTooOften(call.Name, argumentsOf(call)):
		return &ToolError{"repeated", "the same call was made before; its result has not changed"}
	case r.exploringIsOver():
		return &ToolError{"budget", "exploring has ended: " + r.endReason}
	case call.Name == ToolTurn && len(r.evidence) >= r.Budget.Turns:
		const message = "%d turns have been read, the most that are allowed; answer from them"
		return &ToolError{"budget", fmt.Sprintf(message, len(r.evidence))}
	}
	return nil
}

// callTool runs a call. It returns an error that the model can act on as a refusal.
func (r *run) callTool(ctx context.Context, name string, arguments json.RawMessage) (Outcome, *ToolError, error) {
	outcome, err := r.tools[name].Call(ctx, arguments)
	if err == nil {
		return outcome, nil, nil
	}
	if refused := toolError(err); refused != nil && ctx.Err() == nil {
		return Outcome{}, refused, nil
	}
	return Outcome{}, nil, err
}

func (r *run) toolNames() []string {
	var names []string
	for _, s := range r.specs() {
		names = append(names, s.Name)
	}
	return names
}

// toolError returns what the model reads of an error that it can act on, nil for any other.
func toolError(err error) *ToolError {
	code := errs.CodeOf(err)
	if !slices.Contains([]errs.Code{errs.Invalid, errs.NotFound, errs.TooLarge}, code) {
		return nil
	}
	return &ToolError{string(code), err.Error()}
}

// repeatsTooOften counts a call and reports whether its repetition ends the exploring.
func (r *run) repeatsTooOften(name string, arguments json.RawMessage) bool {
	key := name + string(canonical(arguments))
	r.timesCalled[key]++
	if r.timesCalled[key] < r.Budget.Repeats {
		return false
	}
	r.endReason = "the model repeated the same call"
	return true
}

// canonical returns JSON with sorted keys and without white space.
func canonical(arguments json.RawMessage) []byte {
	var value any
	d := json.NewDecoder(bytes.NewReader(arguments))
	d.UseNumber()
	if d.Decode(&value) != nil {
		return arguments
	}
	same, err := json.Marshal(value) // sorts keys
	if err != nil {
		return arguments
	}
	return same
}

// addOutcome adds the result of a call to the conversation and returns the number of a hydrated turn, 0 for
// anything else.
func (r *run) addOutcome(call string, o Outcome, refused *ToolError) (n int) {
	switch {
	case refused != nil:
		text, _ := json.Marshal(map[string]*ToolError{"error": refused}) // strings always marshal
		r.conversation.addResult(call, string(text), "")
		return 0
	case o.Turn != nil:
		n = r.numberOf(o.Turn)
		r.conversation.addTurn(call, n, o.Turn)
	default:
		r.conversation.addResult(call, r.conversation.fenced(r.conversation.cut(o.Text, r.Budget.PeekTokens)), o.Brief)
	}
	r.found = o.Found
	r.keepFindings(o)
	return n
}

// numberOf returns the number of a hydrated turn, assigning the next one to a new turn.
func (r *run) numberOf(t *Turn) int {
	i := slices.IndexFunc(r.evidence, func(e *Turn) bool { return e.ID == t.ID })
	if i < 0 {
		i = len(r.evidence)
		r.evidence = append(r.evidence, t)
	}
	return i + 1
}
