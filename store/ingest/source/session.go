package source

import (
	"time"

	"lens/store/ingest/chat"
)

// Session collects the messages of a log in which each follows the one before it.
type Session struct {
	chat.Draft // Current is the last message

	ids   chat.ContentIDs
	taken map[string]bool
}

// Add adds a message below the last one. Its id is the one given by the product, if that is new in this session.
func (s *Session) Add(id string, m *chat.Message) {
	if id == "" || s.taken[id] {
		id = s.ids.Of(m)
	}
	if s.taken == nil {
		s.taken = make(map[string]bool)
	}
	s.taken[id] = true
	s.Nodes = append(s.Nodes, chat.Node{ID: id, Parent: s.Current, Message: m})
	s.Current = id
}

// Seen takes up the time of a record: the session began with the first and was updated at the latest.
func (s *Session) Seen(at time.Time) {
	if s.Created.IsZero() {
		s.Created = at
	}
	if at.After(s.Updated) {
		s.Updated = at
	}
}
