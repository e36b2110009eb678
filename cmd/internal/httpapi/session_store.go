package httpapi

import (
	"slices"
	"sync"
	"time"

	"lens/agent"
)

// sessions are the stored chats.
type sessions struct {
	store SessionStore // nil: none are stored
	mu    sync.Mutex   // held while a session is changed
}

var errNoSessions = &problem{Code: codeUnavailable, Message: "This server does not store sessions."}

// all returns all stored sessions.
func (s *sessions) all() ([]agent.Session, error) {
	if s.store == nil {
		return nil, errNoSessions
	}
	return s.store.Load()
}

// find returns a stored session.
func (s *sessions) find(id string) (agent.Session, error) {
	wanted, ok := readUUID(id)
	if !ok {
		return agent.Session{}, invalid("The session ID must be a UUID.")
	}
	all, err := s.all()
	if err != nil {
		return agent.Session{}, err
	}
	i := slices.IndexFunc(all, func(one agent.Session) bool { return one.ID == wanted.String() })
	if i < 0 {
		return agent.Session{}, &problem{
			Code: codeNotFound, Message: "No session has this ID.", Hint: "GET /sessions lists them.",
		}
	}
	if all[i].Exchanges == nil {
		all[i].Exchanges = []agent.Exchange{}
	}
	return all[i], nil
}

// update changes a stored session. Changes are serialized.
func (s *sessions) update(id string, change func(*agent.Session)) (agent.Session, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	one, err := s.find(id)
	if err != nil {
		return one, err
	}
	change(&one)
	one.Updated = time.Now().UTC()
	return one, s.store.Save(one)
}
