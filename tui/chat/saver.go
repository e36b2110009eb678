package chat

import (
	"context"
	"errors"
	"slices"
	"sync"

	"lens/agent"
	"lens/internal/errs"
)

// saver saves chats change by change, since they are not the explorer's alone: HTTP clients add exchanges to them, and
// lens forget removes them. A change waits here until it is saved, also if saving has failed before. It is safe for
// concurrent use.
type saver struct {
	sessions Sessions

	saving sync.Mutex // held while changes are saved

	mu      sync.Mutex
	waiting []unsaved
	removed error // why changes were dropped, until takeRemoved
}

// unsaved are the changes of a chat that are not saved.
type unsaved struct {
	id      string
	isNew   bool // no part of the chat was ever saved
	changes []change
}

// change changes the saved form of a chat. It may run more than once, each time on a chat without it.
type change func(*agent.Session)

// begin notes the first change of a new chat.
func (s *saver) begin(id string, first change) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting = append(s.waiting, unsaved{id, true, []change{first}})
}

// add notes a change of a chat.
func (s *saver) add(id string, how change) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := s.find(id)
	if at < 0 {
		at = len(s.waiting)
		s.waiting = append(s.waiting, unsaved{id: id})
	}
	s.waiting[at].changes = append(s.waiting[at].changes, how)
}

func (s *saver) find(id string) int {
	return slices.IndexFunc(s.waiting, func(u unsaved) bool { return u.id == id })
}

// isSaved reports whether nothing waits of a chat.
func (s *saver) isSaved(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.find(id) < 0
}

// save saves all that waits. A chat that was removed meanwhile stays removed, which takeRemoved tells.
func (s *saver) save(ctx context.Context) error {
	if s.sessions == nil {
		return nil
	}
	s.saving.Lock()
	defer s.saving.Unlock()
	s.mu.Lock()
	waiting := slices.Clone(s.waiting)
	s.mu.Unlock()
	var failed []error
	for _, u := range waiting {
		switch err := s.saveOne(ctx, u); {
		case err == nil:
			s.forget(u)
		case errs.CodeOf(err) == errs.NotFound:
			s.forget(u)
			s.setRemoved(err)
		default:
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

func (s *saver) setRemoved(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.removed = err
}

// takeRemoved returns, once, the not_found error of a chat whose changes were dropped because it was removed.
func (s *saver) takeRemoved() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.removed
	s.removed = nil
	return err
}

func (s *saver) saveOne(ctx context.Context, u unsaved) error {
	all := func(one *agent.Session) {
		for _, how := range u.changes {
			how(one)
		}
	}
	if !u.isNew {
		_, err := s.sessions.Change(ctx, u.id, all)
		return err
	}
	one := agent.Session{ID: u.id}
	all(&one)
	return s.sessions.Save(ctx, one)
}

// forget drops changes that need no saving any more, and keeps those that came meanwhile.
func (s *saver) forget(u unsaved) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := s.find(u.id)
	rest := s.waiting[at].changes[len(u.changes):]
	if len(rest) == 0 {
		s.waiting = slices.Delete(s.waiting, at, at+1)
		return
	}
	s.waiting[at] = unsaved{id: u.id, changes: slices.Clone(rest)}
}
