package tui

import (
	"lens/internal/cleantext"
	"lens/retrieval"
)

// The one place where texts of chats enter the model. What is kept on lines of their own becomes lines; all of it is clean.

func cleanPeek(p *retrieval.Peek) {
	p.Notice = screenLine(p.Notice)
	for i := range p.Matches {
		m := &p.Matches[i]
		m.Title, m.UserSnippet, m.AssistantSnippet = screenLine(m.Title), screenLine(m.UserSnippet), screenLine(m.AssistantSnippet)
	}
}

func cleanTurn(t *retrieval.Turn) {
	t.Title, t.Model, t.Source = screenLine(t.Title), screenLine(t.Model), screenLine(t.Source)
	t.User, t.Assistant, t.Summary = cleantext.Text(t.User), cleantext.Text(t.Assistant), cleantext.Text(t.Summary)
}

// longestLine is how much of a line is looked at, in bytes: more than any screen shows.
const longestLine = 4 << 10

// screenLine cleans what is shown on one line.
func screenLine(s string) string {
	return cleantext.Columns(cleantext.Line(s[:min(len(s), longestLine)]))
}
