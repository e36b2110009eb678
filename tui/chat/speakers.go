package chat

import (
	"lens/agent"
	"lens/retrieval"
	"lens/tui/turn"
)

// speakers says by turn ID whose words the last search found: the name of who answered, or You. Where that is
// not known a turn is missing.
type speakers struct {
	of    map[string]string
	words *retrieval.Words
}

// hear takes what the result of a tool tells of them.
func (s *speakers) hear(r agent.ToolResult) {
	if s.of == nil {
		s.of = make(map[string]string)
	}
	switch found := r.Detail.(type) {
	case *retrieval.Peek:
		s.words = found.Words
	case *retrieval.Turn:
		if says := s.says(found); says != "" {
			s.of[found.TurnID.String()] = says
		}
	}
}

// says returns who says more words of the query in a turn, "" if neither side says one.
func (s *speakers) says(t *retrieval.Turn) string {
	asked, answered := len(s.words.Find(t.User)), len(s.words.Find(t.Assistant))
	switch {
	case t.Assistant == "", asked > 0 && asked >= answered:
		return "You"
	case t.User == "", answered > 0:
		return turn.Writer(t.Source)
	}
	return ""
}
