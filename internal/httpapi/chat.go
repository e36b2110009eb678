package httpapi

import (
	"context"
	"errors"
	"iter"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"

	"lens/agent"
)

// chatBody is a question, with what was said before.
type chatBody struct {
	Session      string        `json:"session_id,omitempty"`      // a kept conversation to go on with; messages then has only what is new
	Conversation string        `json:"conversation_id,omitempty"` // of the archive: only this one is looked into
	Messages     []chatMessage `json:"messages"`
}

type chatMessage struct {
	Role    chatRole `json:"role"`
	Content string   `json:"content"`
}

// chatRole is agent.User or agent.Assistant.
type chatRole string

// maxMessages is more than a model is sent.
const maxMessages = 200

func (s *Server) chatRoute() route {
	return route{
		method: http.MethodPost, path: "/chat", body: chatBody{}, stream: true, handle: s.chat,
		summary: "Have a chat model investigate, and answer with proof",
		replies: []reply{{http.StatusOK, kindStream, "Server-sent events: session, round, tool_call, tool_result, delta, withdrawn, citation, notice, partial, usage, and " +
			"at the end, always, done or error. Comments are signs of life. A stream that broke off cannot be resumed: what there was of the answer is in its session.", nil}},
		problems: append([]string{codeProvider}, ofArchive...),
	}
}

func (s *Server) chat(w http.ResponseWriter, r *http.Request) error {
	if err := noQuery(r); err != nil {
		return err
	}
	var ask chatBody
	if err := readJSON(r, &ask); err != nil {
		return err
	}
	messages, err := ask.messages()
	if err != nil {
		return err
	}
	var conversation uuid.UUID
	if ask.Conversation != "" {
		var ok bool
		if conversation, ok = readUUID(ask.Conversation); !ok {
			return invalid("conversation_id is no UUID.")
		}
	}
	t, err := s.beginTalk(ask.Session, messages[len(messages)-1].Text)
	if err != nil {
		return err
	}
	req, err := s.investigation(r, conversation)
	if err != nil {
		return err
	}
	req.Messages = append(t.before, messages...)
	return s.relay(w, r, sse{}, func(ctx context.Context) iter.Seq2[agent.Event, error] { return t.run(ctx, req) })
}

// investigation returns a request of the chat model that lacks its messages. The turns it reads are logged with the trace of r.
func (s *Server) investigation(r *http.Request, conversation uuid.UUID) (agent.Request, error) {
	if s.opts.Investigate == nil {
		return agent.Request{}, &problem{Code: codeUnavailable, Message: "No chat model is configured."}
	}
	req, err := s.opts.Investigate(r.Context(), conversation)
	req.Log = s.log.With(slog.String("trace", exchangeOf(r).id))
	return req, err
}

// messages returns what was said, as the investigator reads it.
func (b chatBody) messages() ([]agent.Message, error) {
	if len(b.Messages) == 0 || len(b.Messages) > maxMessages {
		return nil, invalid("messages must have between 1 and 200 of them.")
	}
	all := make([]agent.Message, len(b.Messages))
	for i, m := range b.Messages {
		role := agent.Role(m.Role)
		if role != agent.User && role != agent.Assistant {
			return nil, invalid("A role is user or assistant.")
		}
		if strings.TrimSpace(m.Content) == "" {
			return nil, invalid("A message has no content.")
		}
		all[i] = agent.Message{Role: role, Text: m.Content}
	}
	if all[len(all)-1].Role != agent.User {
		return nil, invalid("The last message is the question: its role is user.")
	}
	return all, nil
}

// sessionBegun tells a client where the answer is kept.
type sessionBegun struct {
	ID string `json:"session_id"`
}

// Kind implements agent.Event.
func (sessionBegun) Kind() string { return "session" }

// talk is a question on its way into a kept conversation.
type talk struct {
	server   *Server
	id       string
	isNew    bool
	before   []agent.Message
	exchange agent.Exchange
}

// beginTalk goes on with a kept conversation, or with a new one for "".
func (s *Server) beginTalk(id, question string) (*talk, error) {
	t := &talk{server: s, id: id, exchange: agent.Exchange{Question: question, Asked: time.Now().UTC(), Citations: []agent.Citation{}}}
	if id == "" {
		t.id, t.isNew = uuid.NewString(), true
		return t, nil
	}
	kept, err := s.session(id)
	t.before = kept.Messages()
	return t, err
}

// run investigates, and keeps the answer before it is told that it is complete.
func (t *talk) run(ctx context.Context, req agent.Request) iter.Seq2[agent.Event, error] {
	return func(yield func(agent.Event, error) bool) {
		if !yield(sessionBegun{t.id}, nil) {
			return
		}
		for e, err := range agent.Run(ctx, req) {
			var notKept error
			switch e := e.(type) {
			case agent.Partial:
				t.exchange.Answer, t.exchange.Citations = e.Text, e.Citations
			case agent.Done:
				t.exchange.Answer, t.exchange.Citations, t.exchange.Model = e.Answer, e.Citations, e.Model
				notKept = t.keep()
			}
			if err != nil {
				t.breakOff(ctx)
				notKept = t.keep()
			}
			if notKept != nil && !yield(agent.Notice{Code: "not_kept", Message: "The answer could not be kept."}, nil) || !yield(e, err) {
				return
			}
		}
	}
}

// breakOff says why there is no whole answer, now that ctx is over or there was an error.
func (t *talk) breakOff(ctx context.Context) {
	t.exchange.Broken = agent.BrokenByError
	switch {
	case errors.Is(context.Cause(ctx), errStopping):
		t.exchange.Reason = "the server was ended before the answer was whole"
	case ctx.Err() != nil: // the client went away
		t.exchange.Broken = agent.BrokenByPerson
	}
}
