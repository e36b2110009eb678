package httpapi

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"lens/agent"
)

var errNoSessions = &problem{Code: codeUnavailable, Message: "This server does not store sessions."}

// loadSessions returns all stored sessions.
func (s *Server) loadSessions() ([]agent.Session, error) {
	if s.opts.Sessions == nil {
		return nil, errNoSessions
	}
	return s.opts.Sessions.Load()
}

// session returns a stored session.
func (s *Server) session(id string) (agent.Session, error) {
	wanted, ok := readUUID(id)
	if !ok {
		return agent.Session{}, invalid("The session ID must be a UUID.")
	}
	all, err := s.loadSessions()
	if err != nil {
		return agent.Session{}, err
	}
	i := slices.IndexFunc(all, func(one agent.Session) bool { return one.ID == wanted.String() })
	if i < 0 {
		return agent.Session{}, &problem{Code: codeNotFound, Message: "No session has this ID. GET /sessions lists them."}
	}
	if all[i].Exchanges == nil {
		all[i].Exchanges = []agent.Exchange{}
	}
	return all[i], nil
}

// updateSession changes a stored session. Changes are serialized.
func (s *Server) updateSession(id string, change func(*agent.Session)) (agent.Session, error) {
	s.sessions.Lock()
	defer s.sessions.Unlock()
	one, err := s.session(id)
	if err != nil {
		return one, err
	}
	change(&one)
	one.Updated = time.Now().UTC()
	return one, s.opts.Sessions.Keep(one)
}

// save adds the exchange to its session. A session that was removed meanwhile stays removed.
func (t *pendingExchange) save() error {
	add := func(one *agent.Session) {
		one.Name = cmp.Or(one.Name, nameOf(t.exchange.Question))
		one.Exchanges = append(one.Exchanges, t.exchange)
	}
	if !t.isNew {
		_, err := t.server.updateSession(t.id, add)
		return err
	}
	if t.server.opts.Sessions == nil {
		return nil
	}
	one := agent.Session{ID: t.id, Created: t.exchange.Asked, Updated: time.Now().UTC()}
	add(&one)
	return t.server.opts.Sessions.Keep(one)
}

// nameOf returns the default name of a session: the beginning of its first question.
func nameOf(question string) string {
	name := []rune(strings.Join(strings.Fields(question), " "))
	return string(name[:min(len(name), 60)])
}
