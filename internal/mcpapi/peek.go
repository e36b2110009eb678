package mcpapi

import (
	"lens/agent"
	"lens/retrieval"
)

// peekOutput is a peek as HTTP gives it, and a note.
type peekOutput struct {
	Note string `json:"note"`
	*retrieval.Peek
}

func showPeek(o agent.Outcome) (shown, error) {
	p, ok := o.Detail.(*retrieval.Peek)
	if !ok {
		return shown{}, unexpected(o)
	}
	return shown{text: fenced(o.Text), structured: peekOutput{note, p}}, nil
}
