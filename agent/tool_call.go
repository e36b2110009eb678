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

// runCall runs one call, emits its events and adds the result to the conversation. It returns only errors
// that the model cannot act on.
func (r *run) runCall(ctx context.Context, call Call) error {
	arguments := argumentsOf(call)
	id := fmt.Sprintf("%d.%d", r.round, len(r.trace)+1)
	r.emit(ToolCall{ID: id, Round: r.round, Tool: call.Name, Arguments: arguments})
	began := time.Now()
	outcome, refused, err := r.callTool(ctx, call.Name, arguments)
	if err != nil {
		return err
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

// callTool runs a call, or returns the refusal that the model should read.
func (r *run) callTool(ctx context.Context, name string, arguments json.RawMessage) (Outcome, *ToolError, error) {
	tool, known := r.tools[name]
	if !known {
		return Outcome{}, &ToolError{"unknown_tool", "no such tool; use " + strings.Join(r.toolNames(), " or ")}, nil
	}
	if r.repeatsTooOften(name, arguments) {
		return Outcome{}, &ToolError{"repeated", "the same call was made before; its result has not changed"}, nil
	}
	if r.exploringIsOver() {
		return Outcome{}, &ToolError{"budget", "exploring has ended: " + r.endReason}, nil
	}
	if name == ToolTurn && len(r.evidence) >= r.Budget.Turns {
		const message = "%d turns have been read, the most that are allowed; answer from them"
		return Outcome{}, &ToolError{"budget", fmt.Sprintf(message, len(r.evidence))}, nil
	}
	outcome, err := tool.Call(ctx, arguments)
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
	if o.Histogram != nil {
		r.histogram = o.Histogram
	}
	r.found = o.Found
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
