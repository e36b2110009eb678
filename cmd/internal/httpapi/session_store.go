package httpapi

import (
	"context"
	"time"

	"lens/agent"
	"lens/internal/errs"
)

// sessions are the stored chats.
type sessions struct {
	store SessionStore // nil: none are stored
}

var errNoSessions = &problem{Code: codeUnavailable, Message: "This server does not store sessions."}

// list returns a page of stored sessions.
func (s *sessions) list(ctx context.Context, page agent.SessionPage) ([]agent.SessionSummary, error) {
	if s.store == nil {
		return nil, errNoSessions
	}
	return s.store.List(ctx, page)
}

// save stores a session.
func (s *sessions) save(ctx context.Context, one agent.Session) error {
	if s.store == nil {
		return errNoSessions
	}
	return s.store.Save(ctx, one)
}

// find returns a stored session.
func (s *sessions) find(ctx context.Context, id string) (agent.Session, error) {
	return s.one(id, func(id string) (agent.Session, error) { return s.store.Session(ctx, id) })
}

// update changes a stored session.
func (s *sessions) update(ctx context.Context, id string, change func(*agent.Session)) (agent.Session, error) {
	return s.one(id, func(id string) (agent.Session, error) {
		return s.store.Change(ctx, id, func(one *agent.Session) {
			change(one)
			one.Updated = wholeMicroseconds(time.Now())
		})
	})
}

// one calls do with the normal form of an ID.
func (s *sessions) one(id string, do func(id string) (agent.Session, error)) (agent.Session, error) {
	wanted, ok := readUUID(id)
	if !ok {
		return agent.Session{}, invalid("The session ID must be a UUID.")
	}
	if s.store == nil {
		return agent.Session{}, errNoSessions
	}
	one, err := do(wanted.String())
	if errs.CodeOf(err) == errs.NotFound {
		err = &problem{
			Code: codeNotFound, Message: "No session has this ID.", Hint: "GET /sessions lists them.", Err: err,
		}
	}
	if one.Exchanges == nil {
		one.Exchanges = []agent.Exchange{}
	}
	return one, err
}

// wholeMicroseconds returns a time in UTC as it is stored, so that an answer has the time that later ones have.
func wholeMicroseconds(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }
