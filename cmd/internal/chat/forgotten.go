package chat

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"lens/agent"
	"lens/store"
)

// reasonForgotten is the reason of an exchange that lost its answer.
const reasonForgotten = "it read turns that have been deleted since"

// withoutForgotten returns a session that replaces was without answers that repeat forgotten turns. Forget removes the
// sessions that cite such turns; an answer that is saved after that loses its text here. So do the answers that follow:
// the model wrote them knowing it. Turns that was already cites need no check: Forget has seen them. The caller is in
// the transaction that saves the session, so that Forget runs either before or after it.
func (s *Sessions) withoutForgotten(ctx context.Context, one agent.Session, was store.Session) (agent.Session, error) {
	if s.Gone == nil {
		return one, nil
	}
	before, _ := parseStored(was.Content) // a session that cannot be read is replaced
	known := citedBy(before.session())
	cited := slices.DeleteFunc(citedBy(one), func(id uuid.UUID) bool { return slices.Contains(known, id) })
	if len(cited) == 0 {
		return one, nil
	}
	gone, err := s.Gone(ctx, cited)
	if err != nil || len(gone) == 0 {
		return one, err
	}
	first := slices.IndexFunc(one.Exchanges, func(e agent.Exchange) bool {
		return slices.ContainsFunc(cites(e), func(id uuid.UUID) bool { return slices.Contains(gone, id) })
	})
	one.Exchanges = slices.Clone(one.Exchanges)
	for i := range one.Exchanges[first:] {
		e := &one.Exchanges[first+i]
		if e.Answering {
			continue
		}
		*e = agent.Exchange{
			Question: e.Question, Asked: e.Asked, Citations: []agent.Citation{},
			Broken: agent.BrokenByError, Reason: reasonForgotten,
		}
	}
	return one, nil
}
