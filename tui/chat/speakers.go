package chat

import (
	"lens/agent"
	"lens/retrieval"
	"lens/tui/turn"
)

// speakers says whose words of a turn, by its ID, matched: the name of who answered, or You. It has the turns that were
// read and whose speaker is known. The list of matches decides the same way.
type speakers map[string]string

// heard returns the speakers, with those that the result of a tool tells of.
func (s speakers) heard(r agent.ToolResult) speakers {
	if s == nil {
		s = make(speakers)
	}
	switch found := r.Detail.(type) {
	case *retrieval.Peek:
		for i := range found.Matches {
			m := &found.Matches[i]
			if m.Chunk == nil {
				s[m.TurnID.String()] = matched(m, found.Words)
			}
		}
	case *retrieval.Turn:
		id := found.TurnID.String()
		switch {
		case found.Assistant == "":
			s[id] = you
		case found.User == "" || s[id] == reply:
			s[id] = turn.Writer(found.Source)
		}
	}
	return s
}

// Who says a passage.
const (
	you   = "You"
	reply = "Reply" // of a turn that was not read yet
)

// matched returns the side of a match that has more words of the query.
func matched(m *retrieval.Match, words *retrieval.Words) string {
	if !m.Worded { // of another language, they only look like its words
		words = nil
	}
	if m.UserSnippet == "" || len(words.Find(m.UserSnippet)) < len(words.Find(m.AssistantSnippet)) {
		return reply
	}
	return you
}
