package agent

import (
	"fmt"
	"strconv"
)

// Limits are what is known of a model before it is asked. The zero value is that of a model of which nothing is known.
type Limits struct {
	Tools   ToolUse
	Context int // tokens, of the request and the message together; 0: unknown
}

// ToolUse says whether a model can call tools.
type ToolUse int

// What a model's server may say about tools.
const (
	ToolsUnknown   ToolUse = iota // also: it can call tools
	ToolsUntrained                // it can, but the model was not trained for that: it hardly will
	ToolsRefused                  // it cannot
)

// leastToolContext is the smallest context in which a model can use tools: the prompt and the tools take about 2,800
// tokens of it, a quarter is left for the message, and the latest results have to fit beside them.
const leastToolContext = 8_000

// Explain says in a sentence what the limits of a model mean for its answers, "" if they mean nothing.
func (l Limits) Explain(model string) string {
	if why := l.whyOnePass(); why != "" {
		return onePassMessage(model, why)
	}
	if l.Tools == ToolsUntrained {
		return model + " was not trained to call tools: where it does not, it answers from a single search for the question."
	}
	return ""
}

func onePassMessage(model, why string) string {
	return model + " " + why + ", so it answers from a single search for the question."
}

// whyOnePass returns why a model cannot search by itself, "" if it can.
func (l Limits) whyOnePass() string {
	switch {
	case l.Tools == ToolsRefused:
		return "cannot call tools"
	case l.Context > 0 && l.Context < leastToolContext:
		return fmt.Sprintf("has too small a context for Lens's tools (%s tokens)", thousands(l.Context))
	}
	return ""
}

// thousands writes a number below a million with a comma.
func thousands(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%d,%03d", n/1000, n%1000)
}

// within returns a budget that fits a model's context. A server that does not refuse longer requests drops their
// beginning, and with it what the model is for.
func (b Budget) within(context int) Budget {
	if context > 0 {
		b.Answer = min(b.Answer, context/4)
		b.Tokens = min(b.Tokens, context-b.Answer)
		b.PeekTokens = min(b.PeekTokens, b.Tokens/4)
		b.TurnTokens = min(b.TurnTokens, b.Tokens/8)
	}
	return b
}
