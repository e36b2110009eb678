package mcpapi

import (
	"lens/agent"
	"lens/retrieval"
)

// peekOutput is the body of the HTTP route with a notice.
type peekOutput struct {
	Note string `json:"note"`
	*retrieval.Peek
}

func renderPeek(o agent.Outcome) (rendered, error) {
	p, ok := o.Detail.(*retrieval.Peek)
	if !ok {
		return rendered{}, unexpected(o)
	}
	return rendered{text: fence(o.Text), structured: peekOutput{dataNotice, p}}, nil
}
