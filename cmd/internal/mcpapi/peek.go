package mcpapi

import (
	"lens/agent"
	"lens/agent/tools"
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

// compareOutput is the body of the HTTP route with a notice.
type compareOutput struct {
	Note string `json:"note"`
	*retrieval.Comparison
}

// compareEntry is the tool compare.
func compareEntry(engine Engine) toolEntry {
	return toolEntry{
		Tool: tools.NewCompare(engine), title: "Compare queries over time", output: schemaOf[compareOutput](),
		render: func(o agent.Outcome) (rendered, error) {
			c, ok := o.Detail.(*retrieval.Comparison)
			if !ok {
				return rendered{}, unexpected(o)
			}
			return rendered{text: fence(o.Text), structured: compareOutput{dataNotice, c}}, nil
		},
	}
}
