package tui

import (
	"cmp"

	"lens/retrieval"
	"lens/retrieval/query"
	"lens/tui/search"
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

// cleanQuery cleans what a peek searched for, as if it had been typed. Numbers of matches and bins are dropped.
func cleanQuery(q query.Query) query.Query {
	clean := search.Readable(ui.Line(q.String()))
	clean.Like, clean.Mode = q.Like, q.Mode
	return clean
}
