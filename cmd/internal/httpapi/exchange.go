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

// pendingExchange is a question in a session, which stores its answer, too.
type pendingExchange struct {
	sessions *sessions
	id       string
	isNew    bool
	history  []agent.Message
	exchange agent.Exchange
	stored   bool // in the session
}

// begin continues a stored session, or starts a new one if id is nil. It stores nothing.
func (s *sessions) begin(ctx context.Context, id *string, text string) (*pendingExchange, error) {
	question := agent.Exchange{
		Question: text, Asked: time.Now().UTC(), Citations: []agent.Citation{}, Answering: true,
	}
	if id == nil {
		return &pendingExchange{sessions: s, id: uuid.NewString(), isNew: true, exchange: question}, nil
	}
	t := &pendingExchange{sessions: s, id: *id, exchange: question}
	kept, err := s.find(ctx, t.id)
	t.history = kept.Messages()
	return t, err
}

// unsaved is sent if the exchange, or its answer, could not be stored.
var unsaved = agent.Notice{Code: "not_kept", Message: "The answer could not be saved."}

// run stores the question, investigates, and stores the answer before it reports it as complete.
func (t *pendingExchange) run(ctx context.Context, req agent.Request) iter.Seq2[agent.Event, error] {
	return func(yield func(agent.Event, error) bool) {
		if t.sessions.store != nil {
			var begun agent.Event = sessionStarted{t.id}
			if t.ask(ctx) != nil {
				begun = unsaved
			}
			defer t.abandon(ctx)
			if !yield(begun, nil) {
				return
			}
		}
		for e, err := range agent.Run(ctx, req) {
			var saveErr error
			t.exchange.Hear(e)
			_, done := e.(agent.Done)
			if err != nil {
				t.recordFailure(ctx, err)
			}
			if done || err != nil {
				saveErr = t.answer(ctx)
			}
			if saveErr != nil && !yield(unsaved, nil) || !yield(e, err) {
				return
			}
		}
	}
}

// recordFailure records why the answer is incomplete: the server or the client left, or there was an error.
func (t *pendingExchange) recordFailure(ctx context.Context, err error) {
	t.exchange.Broken = agent.BrokenByError
	t.exchange.Reason, _ = errs.ForClient(err)
	switch {
	case errors.Is(context.Cause(ctx), errStopping):
		t.exchange.Broken, t.exchange.Reason = agent.BrokenByExit, ""
	case ctx.Err() != nil: // the client disconnected
		t.exchange.Broken, t.exchange.Reason = agent.BrokenByPerson, ""
	}
}

// ask stores the question.
func (t *pendingExchange) ask(ctx context.Context) (err error) {
	if t.isNew {
		err = t.sessions.store.Save(ctx, agent.Session{
			ID: t.id, Name: nameOf(t.exchange.Question), Created: t.exchange.Asked, Updated: t.exchange.Asked,
			Exchanges: []agent.Exchange{t.exchange},
		})
	} else {
		_, err = t.sessions.update(ctx, t.id, func(one *agent.Session) {
			one.Name = cmp.Or(one.Name, nameOf(t.exchange.Question))
			one.Exchanges = append(one.Exchanges, t.exchange)
		})
	}
	t.stored = err == nil
	return err
}

// answer stores the answer, complete or not, if the question is stored. A session that was removed meanwhile stays
// removed.
func (t *pendingExchange) answer(ctx context.Context) error {
	if !t.stored {
		return nil
	}
	t.exchange.Answering = false
	_, err := t.sessions.update(context.WithoutCancel(ctx), t.id, func(one *agent.Session) { one.Put(t.exchange) })
	t.stored = err != nil // otherwise abandon tries again
	return err
}

// abandon stores that there will be no answer, unless there is one. It is too late to report an error.
func (t *pendingExchange) abandon(ctx context.Context) {
	if t.stored {
		t.recordFailure(ctx, errNoAnswer)
		_ = t.answer(ctx)
	}
}

// nameOf returns the default name of a session: the beginning of its first question.
func nameOf(question string) string {
	name := []rune(strings.Join(strings.Fields(question), " "))
	return string(name[:min(len(name), 60)])
}
