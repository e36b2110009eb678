package mcpapi

import (
	"lens/agent"
	"lens/agent/tools"
	"lens/retrieval"
)

// TopicsBody is retrieval.Topics under another name: embedded under its own, it would hide its member.
type TopicsBody = retrieval.Topics

// topicsOutput is the body of the HTTP route with a notice.
type topicsOutput struct {
	Note string `json:"note"`
	*TopicsBody
}

// topicsEntry is the tool topics.
func topicsEntry(engine tools.Describer) toolEntry {
	return toolEntry{
		Tool: tools.NewTopics(engine), title: "Topics over time", output: schemaOf[topicsOutput](),
		render: func(o agent.Outcome) (rendered, error) {
			t, ok := o.Detail.(*retrieval.Topics)
			if !ok {
				return rendered{}, unexpected(o)
			}
			return rendered{text: fence(o.Text), structured: topicsOutput{dataNotice, t}}, nil
		},
	}
}

// aboutOutput is the body of the HTTP route with a notice.
type aboutOutput struct {
	Note string `json:"note"`
	*retrieval.About
}

// aboutEntry is the tool about.
func aboutEntry(engine tools.Describer) toolEntry {
	return toolEntry{
		Tool: tools.NewAbout(engine), title: "What a time was about", output: schemaOf[aboutOutput](),
		render: func(o agent.Outcome) (rendered, error) {
			a, ok := o.Detail.(*retrieval.About)
			if !ok {
				return rendered{}, unexpected(o)
			}
			return rendered{text: fence(o.Text), structured: aboutOutput{dataNotice, a}}, nil
		},
	}
}
