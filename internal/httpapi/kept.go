package httpapi

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"lens/agent"
)

var errNotKept = &problem{Code: codeUnavailable, Message: "Conversations are not kept here."}

// kept returns all conversations that are kept.
func (s *Server) kept() ([]agent.Session, error) {
	if s.opts.Chats == nil {
		return nil, errNotKept
	}
	return s.opts.Chats.Load()
}

// session returns a kept conversation.
func (s *Server) session(id string) (agent.Session, error) {
	wanted, ok := readUUID(id)
	if !ok {
		return agent.Session{}, invalid("The id of a conversation is a UUID.")
	}
	all, err := s.kept()
	if err != nil {
		return agent.Session{}, err
	}
	i := slices.IndexFunc(all, func(one agent.Session) bool { return one.ID == wanted.String() })
	if i < 0 {
		return agent.Session{}, &problem{Code: codeNotFound, Message: "No conversation has this id. GET /sessions lists them."}
	}
	if all[i].Exchanges == nil {
		all[i].Exchanges = []agent.Exchange{}
	}
	return all[i], nil
}

// change changes a kept conversation: as it is now, one change after the other.
func (s *Server) change(id string, how func(*agent.Session)) (agent.Session, error) {
	s.sessions.Lock()
	defer s.sessions.Unlock()
	one, err := s.session(id)
	if err != nil {
		return one, err
	}
	how(&one)
	one.Updated = time.Now().UTC()
	return one, s.opts.Chats.Keep(one)
}

// keep adds the exchange to its conversation. One that somebody has removed meanwhile does not come back.
func (t *talk) keep() error {
	add := func(one *agent.Session) {
		one.Name = cmp.Or(one.Name, nameOf(t.exchange.Question))
		one.Exchanges = append(one.Exchanges, t.exchange)
	}
	if !t.isNew {
		_, err := t.server.change(t.id, add)
		return err
	}
	if t.server.opts.Chats == nil {
		return nil
	}
	one := agent.Session{ID: t.id, Created: t.exchange.Asked, Updated: time.Now().UTC()}
	add(&one)
	return t.server.opts.Chats.Keep(one)
}

// nameOf is what a conversation is called that nobody gave a name: the beginning of its first question.
func nameOf(question string) string {
	name := []rune(strings.Join(strings.Fields(question), " "))
	return string(name[:min(len(name), 60)])
}
