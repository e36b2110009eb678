package chat

import (
	"encoding/json"

	"lens/agent"
	"lens/internal/cleantext"
	"lens/tui/ui"
)

// cleanEvent cleans the texts of an event that are kept, from the model and from its tools. What a step has found is
// not kept, see Follow.
func cleanEvent(e agent.Event) agent.Event {
	switch e := e.(type) {
	case agent.ToolCall:
		e.Tool, e.Arguments = ui.Line(e.Tool), cleanArguments(e.Arguments)
		return e
	case agent.ToolResult:
		e.Tool, e.Gist = ui.Line(e.Tool), ui.Line(e.Gist)
		e.Error = cleanToolError(e.Error)
		return e
	case agent.Text:
		return agent.Text{Text: cleantext.Text(e.Text)}
	case agent.Cited:
		return agent.Cited{Citation: cleanCitation(e.Citation)}
	case agent.Notice:
		e.Message = ui.Line(e.Message)
		return e
	case agent.Partial:
		e.Text, e.Model, e.Citations = cleantext.Text(e.Text), ui.Line(e.Model), cleanCitations(e.Citations)
		e.Findings = cleanFindings(e.Findings)
		return e
	case agent.Done:
		e.Answer, e.Model, e.Citations = cleantext.Text(e.Answer), ui.Line(e.Model), cleanCitations(e.Citations)
		return e
	}
	return e
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

// cleanFindings cleans the titles and steps of an answer that failed. Histograms have no texts of the archive.
func cleanFindings(f agent.Findings) agent.Findings {
	steps := make([]agent.Step, len(f.Trace))
	for i, s := range f.Trace {
		s.Tool, s.Gist, s.Arguments = ui.Line(s.Tool), ui.Line(s.Gist), cleanArguments(s.Arguments)
		s.Error = cleanToolError(s.Error)
		steps[i] = s
	}
	f.Turns, f.Trace = cleanCitations(f.Turns), steps
	return f
}

func cleanToolError(e *agent.ToolError) *agent.ToolError {
	if e == nil {
		return nil
	}
	return &agent.ToolError{Code: ui.Line(e.Code), Message: ui.Line(e.Message)}
}

// cleanSession cleans a saved chat.
func cleanSession(s agent.Session) agent.Session {
	s.Name = ui.Line(s.Name)
	exchanges := make([]agent.Exchange, len(s.Exchanges))
	for i, e := range s.Exchanges {
		e.Question, e.Answer = cleantext.Columns(cleantext.Text(e.Question)), cleantext.Text(e.Answer)
		e.Model, e.Reason, e.Citations = ui.Line(e.Model), ui.Line(e.Reason), cleanCitations(e.Citations)
		if e.Findings != nil {
			clean := cleanFindings(*e.Findings)
			e.Findings = &clean
		}
		exchanges[i] = e
	}
	s.Exchanges = exchanges
	return s
}
