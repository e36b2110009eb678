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

// chatBody is a question, preceded by the conversation so far.
type chatBody struct {
	Session      string        `json:"session_id,omitempty"`      // a stored session; messages then has only what is new
	Conversation string        `json:"conversation_id,omitempty"` // search only this conversation of the archive
	Messages     []chatMessage `json:"messages"`
}

type chatMessage struct {
	Role    chatRole `json:"role"`
	Content string   `json:"content"`
}

// chatRole is agent.User or agent.Assistant.
type chatRole string

// maxMessages is more than a model receives.
const maxMessages = 200

const chatStreamDoc = "Server-sent events: session, round, tool_call, tool_result, delta, withdrawn, citation, " +
	"notice, partial and usage, and always a final done or error. Comments are heartbeats. " +
	"A broken stream cannot be resumed; the session keeps the part of the answer that was received."

func (s *Server) chatRoute() route {
	return route{
		method: http.MethodPost, path: "/chat", body: chatBody{}, stream: true, handle: s.chat,
		summary:  "Ask the chat model, which investigates the archive and cites turns",
		replies:  []reply{{http.StatusOK, kindStream, chatStreamDoc, nil}},
		problems: append([]string{codeProvider}, archiveProblems...),
	}
}

func (s *Server) chat(w http.ResponseWriter, r *http.Request) error {
	if err := noQuery(r); err != nil {
		return err
	}
	var input chatBody
	if err := readJSON(r, &input); err != nil {
		return err
	}
	messages, err := input.messages()
	if err != nil {
		return err
	}
	var conversation uuid.UUID
	if input.Conversation != "" {
		var ok bool
		if conversation, ok = readUUID(input.Conversation); !ok {
			return invalid("conversation_id is not a UUID.")
		}
	}
	t, err := s.beginExchange(input.Session, messages[len(messages)-1].Text)
	if err != nil {
		return err
	}
	req, err := s.investigation(r, conversation)
	if err != nil {
		return err
	}
	req.Messages = append(t.history, messages...)
	return s.relay(w, r, sse{}, func(ctx context.Context) iter.Seq2[agent.Event, error] { return t.run(ctx, req) })
}

// investigation returns a chat request without its messages. The turns that it reads are logged with the trace id of r.
func (s *Server) investigation(r *http.Request, conversation uuid.UUID) (agent.Request, error) {
	if s.opts.Investigate == nil {
		return agent.Request{}, &problem{Code: codeUnavailable, Message: "No chat model is configured."}
	}
	req, err := s.opts.Investigate(r.Context(), conversation)
	req.Log = s.log.With(slog.String("trace", recordOf(r).id))
	return req, err
}

// messages returns the messages for the agent.
func (b chatBody) messages() ([]agent.Message, error) {
	if len(b.Messages) == 0 || len(b.Messages) > maxMessages {
		return nil, invalid("messages must have 1 to 200 entries.")
	}
	all := make([]agent.Message, len(b.Messages))
	for i, m := range b.Messages {
		role := agent.Role(m.Role)
		if role != agent.User && role != agent.Assistant {
			return nil, invalid("role must be user or assistant.")
		}
		if strings.TrimSpace(m.Content) == "" {
			return nil, invalid("content must not be empty.")
		}
		all[i] = agent.Message{Role: role, Text: m.Content}
	}
	if all[len(all)-1].Role != agent.User {
		return nil, invalid("The last message must have the role user.")
	}
	return all, nil
}

// sessionStarted tells the client which session stores the answer.
type sessionStarted struct {
	ID string `json:"session_id"`
}

// Kind implements agent.Event.
func (sessionStarted) Kind() string { return "session" }

// pendingExchange is a question whose answer will be stored in a session.
type pendingExchange struct {
	server   *Server
	id       string
	isNew    bool
	history  []agent.Message
	exchange agent.Exchange
}

// beginExchange continues a stored session, or starts a new one if id is "".
func (s *Server) beginExchange(id, text string) (*pendingExchange, error) {
	question := agent.Exchange{Question: text, Asked: time.Now().UTC(), Citations: []agent.Citation{}}
	t := &pendingExchange{server: s, id: id, exchange: question}
	if id == "" {
		t.id, t.isNew = uuid.NewString(), true
		return t, nil
	}
	kept, err := s.session(id)
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
			switch e := e.(type) {
			case agent.Partial:
				t.exchange.Answer, t.exchange.Citations = e.Text, e.Citations
			case agent.Done:
				t.exchange.Answer, t.exchange.Citations, t.exchange.Model = e.Answer, e.Citations, e.Model
				saveErr = t.save()
			}
			if err != nil {
				t.recordFailure(ctx)
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
func (t *pendingExchange) recordFailure(ctx context.Context) {
	t.exchange.Broken = agent.BrokenByError
	switch {
	case errors.Is(context.Cause(ctx), errStopping):
		t.exchange.Reason = "the server shut down before the answer was complete"
	case ctx.Err() != nil: // the client disconnected
		t.exchange.Broken = agent.BrokenByPerson
	}
}
