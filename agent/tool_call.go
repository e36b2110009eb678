package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
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

// toolRun is a call and what came of it.
type toolRun struct {
	Call
	id        string
	arguments json.RawMessage
	refused   *ToolError // what the model should read instead of the result
	surplus   bool       // refused because the round has too many calls
	outcome   Outcome
	err       error // that the model cannot act on
	fault     any   // of a panic
	took      float64
}

// plan decides which calls of a round may run.
func (r *run) plan(calls []Call) []*toolRun {
	planned := make([]*toolRun, len(calls))
	running, reading := 0, 0
	for i, call := range calls {
		p := &toolRun{Call: call}
		p.refused, p.surplus = r.refusal(call, running, reading)
		if p.refused == nil {
			running++
			if call.Name == ToolTurn {
				reading++
			}
		}
		planned[i] = p
	}
	return planned
}

// refusal returns what the model should read instead of the result of a call, nil if the call may run beside others of
// its round, of which some read turns.
func (r *run) refusal(call Call, running, reading int) (refused *ToolError, surplus bool) {
	switch _, known := r.tools[call.Name]; {
	case !known:
		return &ToolError{"unknown_tool", "no such tool; use " + strings.Join(r.toolNames(), " or ")}, false
	case running >= r.Budget.Calls:
		return &ToolError{"budget", fmt.Sprintf("at most %d calls run in one round", r.Budget.Calls)}, true
	case r.repeatsTooOften(call.Name, argumentsOf(call)):
		return &ToolError{"repeated", "the same call was made before; its result has not changed"}, false
	case r.exploringIsOver():
		return &ToolError{"budget", "exploring has ended: " + r.endReason}, false
	case call.Name == ToolTurn && len(r.evidence)+reading >= r.Budget.Turns:
		return &ToolError{"budget", fmt.Sprintf("at most %d turns can be read; answer from them", r.Budget.Turns)}, false
	}
	return nil, false
}

// runCalls runs the calls that are not refused side by side, emits their events and adds their results to the
// conversation, in the order of the calls. It returns the first error that the model cannot act on, and keeps the
// results of the other calls: the run reports them.
func (r *run) runCalls(ctx context.Context, calls []*toolRun) error {
	for i, c := range calls {
		c.id, c.arguments = fmt.Sprintf("%d.%d", r.round, len(r.trace)+1+i), argumentsOf(c.Call)
		r.emit(ToolCall{ID: c.id, Round: r.round, Tool: c.Name, Arguments: c.arguments})
	}
	if r.stopped {
		return nil
	}
	var running sync.WaitGroup
	for _, c := range calls {
		if c.refused == nil {
			running.Go(func() { c.run(ctx, r.tools[c.Name]) })
		}
	}
	running.Wait()
	var failed error
	for _, c := range calls {
		switch {
		case c.fault != nil:
			panic(c.fault)
		case c.err == nil:
			r.keep(c)
		case failed == nil:
			failed = c.err
		}
	}
	return failed
}

// run runs the call, beside others.
func (c *toolRun) run(ctx context.Context, tool Tool) {
	began := time.Now()
	defer func() {
		c.fault, c.took = recover(), inMilliseconds(time.Since(began))
	}()
	c.outcome, c.err = tool.Call(ctx, c.arguments)
	if refused := toolError(c.err); refused != nil && ctx.Err() == nil {
		c.refused, c.err = refused, nil
	}
}

// keep adds a call that ended to the conversation and the trace.
func (r *run) keep(c *toolRun) {
	r.called = r.called || c.refused == nil
	n := r.addOutcome(c)
	r.emit(ToolResult{
		ID: c.id, Round: r.round, Tool: c.Name, Took: c.took,
		Gist: c.outcome.Gist, N: n, Detail: c.outcome.Detail, Asked: c.outcome.Asked, Error: c.refused,
	})
	r.trace = append(r.trace, Step{
		Round: r.round, Tool: c.Name, Arguments: c.arguments, Gist: c.outcome.Gist, Error: c.refused, Took: c.took,
	})
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
	if err == nil {
		return nil
	}
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
func (r *run) addOutcome(c *toolRun) (n int) {
	o := c.outcome
	switch {
	case c.refused != nil:
		text, _ := json.Marshal(map[string]*ToolError{"error": c.refused}) // strings always marshal
		r.conversation.addResult(c.ID, string(text), "")
		r.conversation.entries[len(r.conversation.entries)-1].surplus = c.surplus
		return 0
	case o.Turn != nil:
		n = r.numberOf(o.Turn)
		r.conversation.addTurn(c.ID, n, o.Turn)
	default:
		r.conversation.addResult(c.ID, r.conversation.fenced(r.conversation.cut(o.Text, r.Budget.PeekTokens)), o.Brief)
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
