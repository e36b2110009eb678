package httpapi

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"strings"
	"time"

	"github.com/google/uuid"

	"lens/agent"
	"lens/internal/errs"
)

// sessionStarted tells the client which session stores the answer.
type sessionStarted struct {
	ID string `json:"session_id"`
}

// Kind implements agent.Event.
func (sessionStarted) Kind() string { return "session" }

// pendingExchange is a question whose answer will be stored in a session.
type pendingExchange struct {
	sessions *sessions
	id       string
	isNew    bool
	history  []agent.Message
	exchange agent.Exchange
}

// begin continues a stored session, or starts a new one if id is "".
func (s *sessions) begin(id, text string) (*pendingExchange, error) {
	question := agent.Exchange{Question: text, Asked: time.Now().UTC(), Citations: []agent.Citation{}}
	t := &pendingExchange{sessions: s, id: id, exchange: question}
	if id == "" {
		t.id, t.isNew = uuid.NewString(), true
		return t, nil
	}
	kept, err := s.find(id)
	t.history = kept.Messages()
	return t, err
}

// run investigates, and stores the answer before it reports it as complete.
func (t *pendingExchange) run(ctx context.Context, req agent.Request) iter.Seq2[agent.Event, error] {
	return func(yield func(agent.Event, error) bool) {
		if !yield(sessionStarted{t.id}, nil) {
			return
		}
		for e, err := range agent.Run(ctx, req) {
			var saveErr error
			t.exchange.Hear(e)
			_, done := e.(agent.Done)
			if err != nil {
				t.recordFailure(ctx, err)
			}
			if done || err != nil {
				saveErr = t.save()
			}
			unsaved := agent.Notice{Code: "not_kept", Message: "The answer could not be saved."}
			if saveErr != nil && !yield(unsaved, nil) || !yield(e, err) {
				return
			}
		}
	}
}

// recordFailure records why the answer is incomplete: ctx ended, or there was an error.
func (t *pendingExchange) recordFailure(ctx context.Context, err error) {
	t.exchange.Broken = agent.BrokenByError
	t.exchange.Reason, _ = errs.ForClient(err)
	switch {
	case errors.Is(context.Cause(ctx), errStopping):
		t.exchange.Reason = "the server shut down before the answer was complete"
	case ctx.Err() != nil: // the client disconnected
		t.exchange.Broken, t.exchange.Reason = agent.BrokenByPerson, ""
	}
}

// save adds the exchange to its session. A session that was removed meanwhile stays removed.
func (t *pendingExchange) save() error {
	add := func(one *agent.Session) {
		one.Name = cmp.Or(one.Name, nameOf(t.exchange.Question))
		one.Exchanges = append(one.Exchanges, t.exchange)
	}
	if !t.isNew {
		_, err := t.sessions.update(t.id, add)
		return err
	}
	if t.sessions.store == nil {
		return nil
	}
	one := agent.Session{ID: t.id, Created: t.exchange.Asked, Updated: time.Now().UTC()}
	add(&one)
	return t.sessions.store.Save(one)
}

// nameOf returns the default name of a session: the beginning of its first question.
func nameOf(question string) string {
	name := []rune(strings.Join(strings.Fields(question), " "))
	return string(name[:min(len(name), 60)])
}
