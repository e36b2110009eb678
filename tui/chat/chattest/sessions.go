// Package chattest has what tests of the chat share; tests alone import it.
package chattest

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"lens/agent"
	"lens/internal/errs"
)

// Sessions implements chat.Sessions in memory. The zero Sessions has none.
type Sessions struct {
	Kept map[string]agent.Session // by ID
	Wont error                    // of Save and Change
	Lost error                    // of List and Session
	Read int                      // how many sessions were read whole, or listed

	mu sync.Mutex
}

// List implements chat.Sessions.
func (s *Sessions) List(_ context.Context, page agent.SessionPage) ([]agent.SessionSummary, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []agent.SessionSummary
	for _, one := range s.Kept {
		if one.Archived != page.Archived || page.Pinned != nil && *page.Pinned != one.Pinned {
			continue
		}
		all = append(all, agent.SessionSummary{
			ID: one.ID, Name: one.Name, Created: one.Created, Updated: one.Updated, Pinned: one.Pinned, Archived: one.Archived,
			Exchanges: len(one.Exchanges), Conclusions: conclusions(one),
		})
	}
	slices.SortFunc(all, func(a, b agent.SessionSummary) int {
		return cmp.Or(b.Updated.Compare(a.Updated), strings.Compare(b.ID, a.ID))
	})
	all = all[:min(len(all), page.Limit)]
	s.Read += len(all)
	return all, s.Lost
}

func conclusions(one agent.Session) (n int) {
	for _, e := range one.Exchanges {
		if e.Conclusion {
			n++
		}
	}
	return n
}

// Session implements chat.Sessions.
func (s *Sessions) Session(_ context.Context, id string) (agent.Session, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Lost != nil {
		return agent.Session{}, s.Lost
	}
	s.Read++
	return s.find(id)
}

func (s *Sessions) find(id string) (agent.Session, error) {
	one, ok := s.Kept[id]
	if !ok {
		return one, &errs.Error{Code: errs.NotFound, Message: "no session has this ID"}
	}
	one.Exchanges = slices.Clone(one.Exchanges)
	return one, nil
}

// Save implements chat.Sessions.
func (s *Sessions) Save(_ context.Context, one agent.Session) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Wont == nil {
		s.put(one)
	}
	return s.Wont
}

func (s *Sessions) put(one agent.Session) {
	if s.Kept == nil {
		s.Kept = map[string]agent.Session{}
	}
	s.Kept[one.ID] = one
}

// Change implements chat.Sessions.
func (s *Sessions) Change(_ context.Context, id string, how func(*agent.Session)) (agent.Session, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	one, err := s.find(id)
	if err = cmp.Or(s.Wont, err); err != nil {
		return one, err
	}
	how(&one)
	s.put(one)
	return one, nil
}
