package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// specs returns what the model may call, in the order of Request.Tools.
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

// use runs one call, tells of it, and puts what it brought before the model. An error is one that no model can do anything about.
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
	r.emit(ToolResult{ID: id, Round: r.round, Tool: call.Name, Took: took, Gist: outcome.Gist, N: n, Detail: outcome.Detail, Error: refused})
	r.trace = append(r.trace, Step{Round: r.round, Tool: call.Name, Arguments: arguments, Gist: outcome.Gist, Error: refused, Took: took})
	return nil
}

// try runs a call, unless something speaks against it that the model should hear.
func (r *run) callTool(ctx context.Context, name string, arguments json.RawMessage) (Outcome, *ToolError, error) {
	tool, known := r.tools[name]
	if !known {
		return Outcome{}, &ToolError{"unknown_tool", "there is no such tool: use " + strings.Join(r.toolNames(), " or ")}, nil
	}
	if r.repeatsTooOften(name, arguments) {
		return Outcome{}, &ToolError{"repeated", "this very call was made before, and its result has not changed"}, nil
	}
	if r.exploringIsOver() {
		return Outcome{}, &ToolError{"budget", "exploring is over: " + r.endReason}, nil
	}
	if name == Hydrate && len(r.evidence) >= r.Budget.Turns {
		return Outcome{}, &ToolError{"budget", fmt.Sprintf("%d turns have been read, which is as many as are allowed: answer from them", len(r.evidence))}, nil
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

// toolError returns what the model is told of an error that it can do something about, nil for any other.
func toolError(err error) *ToolError {
	code := codeOf(err)
	if !slices.Contains([]string{"invalid", "not_found", "too_large"}, code) {
		return nil
	}
	return &ToolError{code, err.Error()}
}

// repeats counts a call. It reports whether it comes so often that it ends the exploring.
func (r *run) repeatsTooOften(name string, arguments json.RawMessage) bool {
	key := name + string(canonical(arguments))
	r.timesCalled[key]++
	if r.timesCalled[key] < r.Budget.Repeats {
		return false
	}
	r.endReason = "it made the same call again and again"
	return true
}

// canonical returns JSON without the order of keys and without white space.
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

// keep puts what a call brought before the model, and returns the number of a hydrated turn, 0 for anything else.
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

// number returns the number of a hydrated turn: that which it has, or the next.
func (r *run) numberOf(t *Turn) int {
	i := slices.IndexFunc(r.evidence, func(e *Turn) bool { return e.ID == t.ID })
	if i < 0 {
		i = len(r.evidence)
		r.evidence = append(r.evidence, t)
	}
	return i + 1
}
