package tui

import (
	"cmp"
	"encoding/json"

	"lens/agent"
	"lens/internal/cleantext"
	"lens/retrieval"
	"lens/retrieval/query"
	"lens/tui/turn"
	"lens/tui/ui"
)

// Sanitizing: every text from outside is cleaned before it enters the model, here or by the component that asked for
// it. Single lines stay single.

func cleanPeek(p *retrieval.Peek) {
	p.Notice = ui.Line(p.Notice)
	for i := range p.Titles {
		p.Titles[i].Title = cmp.Or(ui.Line(p.Titles[i].Title), "untitled")
	}
	for i := range p.Matches {
		m := &p.Matches[i]
		m.Chunk = turn.CleanChunk(m.Chunk)
		m.Title = ui.Line(m.Title)
		m.UserSnippet, m.AssistantSnippet = ui.Line(m.UserSnippet), ui.Line(m.AssistantSnippet)
	}
}

// cleanEvent cleans the texts of an event, from the model and from its tools.
func cleanEvent(e agent.Event) agent.Event {
	switch e := e.(type) {
	case agent.ToolCall:
		e.Tool, e.Arguments = ui.Line(e.Tool), cleanArguments(e.Arguments)
		return e
	case agent.ToolResult:
		e.Tool, e.Gist = ui.Line(e.Tool), ui.Line(e.Gist)
		if e.Error != nil {
			e.Error = &agent.ToolError{Code: ui.Line(e.Error.Code), Message: ui.Line(e.Error.Message)}
		}
		if q, ok := e.Asked.(query.Query); ok {
			e.Asked = cleanQuery(q)
		}
		if t, ok := e.Detail.(*retrieval.Turn); ok && t != nil {
			own := *t
			turn.Clean(&own)
			e.Detail = &own
		}
		return e
	case agent.Text:
		return agent.Text{Text: cleantext.Text(e.Text)}
	case agent.Cited:
		return agent.Cited{Citation: cleanCitation(e.Citation)}
	case agent.Notice:
		e.Message = ui.Line(e.Message)
		return e
	case agent.Partial:
		return agent.Partial{Text: cleantext.Text(e.Text), Citations: cleanCitations(e.Citations)}
	case agent.Done:
		e.Answer, e.Model, e.Citations = cleantext.Text(e.Answer), ui.Line(e.Model), cleanCitations(e.Citations)
		return e
	}
	return e
}

// cleanQuery cleans what a peek searched for, as if it had been typed. Numbers of matches and bins are dropped.
func cleanQuery(q query.Query) query.Query {
	clean := readable(ui.Line(q.String()))
	clean.Like, clean.Mode = q.Like, q.Mode
	return clean
}

// cleanArguments cleans the decoded strings among the arguments of a tool call, not their JSON notation.
func cleanArguments(arguments json.RawMessage) json.RawMessage {
	var values map[string]any
	if json.Unmarshal(arguments, &values) != nil {
		return nil
	}
	for key, value := range values {
		if text, ok := value.(string); ok {
			values[key] = ui.Line(text)
		}
	}
	clean, err := json.Marshal(values)
	if err != nil {
		return nil
	}
	return clean
}

func cleanCitation(c agent.Citation) agent.Citation {
	c.Title = ui.Line(c.Title)
	return c
}

func cleanCitations(all []agent.Citation) []agent.Citation {
	clean := make([]agent.Citation, len(all))
	for i, c := range all {
		clean[i] = cleanCitation(c)
	}
	return clean
}

// cleanSession cleans a saved chat.
func cleanSession(s agent.Session) agent.Session {
	s.Name = ui.Line(s.Name)
	exchanges := make([]agent.Exchange, len(s.Exchanges))
	for i, e := range s.Exchanges {
		e.Question, e.Answer = cleantext.Columns(cleantext.Text(e.Question)), cleantext.Text(e.Answer)
		e.Model, e.Reason, e.Citations = ui.Line(e.Model), ui.Line(e.Reason), cleanCitations(e.Citations)
		exchanges[i] = e
	}
	s.Exchanges = exchanges
	return s
}
