package openai

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	api "github.com/sashabaranov/go-openai"

	"lens/agent"
)

// assembly puts tool calls together from what comes of them. Servers differ: ids and names come with the first piece, later, or with every
// piece; some number the calls, some give all of them the number 0, some give none; some give neither numbers nor ids that tell calls apart,
// but each call whole.
type toolCalls struct{ partial []*partialCall }

type partialCall struct {
	index     int // -1: the server gives none
	id, name  string
	arguments strings.Builder
}

// add takes one piece.
func (a *toolCalls) add(t api.ToolCall) {
	p := a.find(t)
	if t.ID != "" {
		p.id = t.ID
	}
	switch name := t.Function.Name; {
	case name == "" || name == p.name:
	case p.name == "" || p.arguments.Len() == 0:
		p.name += name
	}
	p.arguments.WriteString(t.Function.Arguments)
}

// find returns the call that a piece belongs to, a new one when it belongs to none.
func (a *toolCalls) find(t api.ToolCall) *partialCall {
	index := -1
	if t.Index != nil {
		index = *t.Index
	}
	for _, p := range slices.Backward(a.partial) {
		if p.index == index && (t.ID == "" || p.id == "" || t.ID == p.id) && !p.completeBefore(t) { // the same number, or none, and another id: another call
			return p
		}
	}
	p := &partialCall{index: index}
	a.partial = append(a.partial, p)
	return p
}

// endsBefore reports whether t, without an id, begins another call: p is whole, and t names a tool and begins its arguments once more.
func (p *partialCall) completeBefore(t api.ToolCall) bool {
	return t.ID == "" && p.name != "" && t.Function.Name != "" && strings.HasPrefix(t.Function.Arguments, "{") && json.Valid([]byte(p.arguments.String()))
}

// whole returns the calls. One that never got an id gets one; one without a name is no call.
func (a *toolCalls) complete() []agent.Call {
	var calls []agent.Call
	for i, p := range a.partial {
		if p.name == "" {
			continue
		}
		if p.id == "" {
			p.id = fmt.Sprintf("call_%d", i)
		}
		calls = append(calls, agent.Call{ID: p.id, Name: p.name, Arguments: p.arguments.String()})
	}
	return calls
}
