package chat

import (
	"lens/agent"
	"lens/retrieval"
	"lens/tui/turn"
)

// speakers says by turn ID whose words the searches before it found: the name of who answered, or You. Where that is
// not known a turn is missing.
type speakers struct {
	of    map[string]string
	words []*retrieval.Words // of the searches: a model may make several before it reads what they found
}

// hear takes what the result of a tool tells of them.
func (s *speakers) hear(r agent.ToolResult) {
	if s.of == nil {
		s.of = make(map[string]string)
	}
	switch found := r.Detail.(type) {
	case *retrieval.Peek:
		s.words = append(s.words, found.Words)
	case *retrieval.Turn:
		if says := s.says(found); says != "" {
			s.of[found.TurnID.String()] = says
		}
	}
}

// says returns who says more words of the queries in a turn, "" if neither side says one.
func (s *speakers) says(t *retrieval.Turn) string {
	asked, answered := 0, 0
	for _, words := range s.words {
		asked += len(words.Find(t.User))
		answered += len(words.Find(t.Assistant))
	}
	switch {
	case t.Assistant == "", asked > 0 && asked >= answered:
		return "You"
	case t.User == "", answered > 0:
		return turn.Writer(t.Source)
	}
	return ""
}
