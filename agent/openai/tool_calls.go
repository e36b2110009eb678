package openai

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	api "github.com/sashabaranov/go-openai"

	"lens/agent"
)

// toolCalls assembles tool calls from their pieces. Servers differ: the id and name come with the first
// piece, later, or with every piece; calls are numbered, all numbered 0, or not at all; some send neither
// numbers nor distinct ids, but each call in one piece.
type toolCalls struct{ partial []*partialCall }

type partialCall struct {
	index     int // -1: not sent
	id, name  string
	arguments strings.Builder
}

// add adds one piece.
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

// find returns the call that a piece belongs to, or a new one.
func (a *toolCalls) find(t api.ToolCall) *partialCall {
	index := -1
	if t.Index != nil {
		index = *t.Index
	}
	for _, p := range slices.Backward(a.partial) {
		sameID := t.ID == "" || p.id == "" || t.ID == p.id
		if p.index == index && sameID && !p.completeBefore(t) {
			return p
		}
	}
	p := &partialCall{index: index}
	a.partial = append(a.partial, p)
	return p
}

// completeBefore reports whether t, without an id, begins another call: p is complete, and t names a tool and
// begins its arguments again.
func (p *partialCall) completeBefore(t api.ToolCall) bool {
	begins := t.ID == "" && t.Function.Name != "" && strings.HasPrefix(t.Function.Arguments, "{")
	return begins && p.name != "" && json.Valid([]byte(p.arguments.String()))
}

// complete returns the calls. It assigns an id to a call without one and drops a call without a name.
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
