package httpapi

import (
	"context"
	"iter"
	"net/http"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/google/uuid"

	"lens/agent"
)

// chatBody is a question, preceded by the conversation so far.
type chatBody struct {
	Session      *string       `json:"session_id,omitempty"`      // a stored session; messages then has only what is new
	Conversation *string       `json:"conversation_id,omitempty"` // search only this conversation of the archive
	Messages     []chatMessage `json:"messages"`
}

type chatMessage struct {
	Role    chatRole `json:"role"`
	Content string   `json:"content"`
}

// refine implements refiner.
func (chatBody) refine(s *jsonschema.Schema) {
	for _, name := range []string{"session_id", "conversation_id"} {
		s.Properties[name] = &jsonschema.Schema{Type: "string", Format: "uuid"}
	}
	requireList(s, "messages", 1, maxMessages).Properties["content"].MinLength = jsonschema.Ptr(1)
}

// chatRole is agent.User or agent.Assistant.
type chatRole string

// maxMessages is more than a model receives.
const maxMessages = 200

const chatStreamDoc = "Server-sent events: session (once its question is stored), round, tool_call, tool_result, " +
	"delta, withdrawn, citation, notice, partial and usage, and always a final done or error. Comments are heartbeats. " +
	"A notice with the code waiting, retrying or rate_limited says why the model does not answer yet; " +
	"the next event ends that wait. " +
	"done has finish_reason (stop, length, content_filter, unknown; repetition or template if Lens cut an answer that " +
	"went in circles or printed its chat template); truncated says that the answer lacks its end. " +
	"If report, the answer cites nothing: what Lens found stands first, and sources has its turns. " +
	"Before error, partial has the text so far (or, if report, what Lens found), histograms and turns_read. " +
	"A broken stream cannot be resumed; the session keeps the part of the answer that was received."

// chatRoutes answer questions about the archive.
type chatRoutes struct {
	investigator investigator
	sessions     *sessions
	streams      *streams
}

func (s chatRoutes) routes() []route {
	return []route{{
		method: http.MethodPost, path: "/chat", body: chatBody{}, stream: true, handle: s.chat,
		summary:  "Ask the chat model, which investigates the archive and cites turns",
		replies:  []reply{{http.StatusOK, kindStream, chatStreamDoc, nil}},
		problems: append([]string{codeProvider}, archiveProblems...),
	}}
}

func (s chatRoutes) chat(w http.ResponseWriter, r *http.Request) error {
	var input chatBody
	if err := readBody(r, &input); err != nil {
		return err
	}
	messages, err := input.messages()
	if err != nil {
		return err
	}
	var conversation uuid.UUID
	if input.Conversation != nil {
		var ok bool
		if conversation, ok = readUUID(*input.Conversation); !ok || conversation == uuid.Nil {
			return invalid("conversation_id is not a complete ID: copy the conversation ID of a match or a turn.")
		}
	}
	t, err := s.sessions.begin(r.Context(), input.Session, messages[len(messages)-1].Text)
	if err != nil {
		return err
	}
	req, err := s.investigator.request(r, conversation)
	if err != nil {
		return err
	}
	req.Messages = append(t.history, messages...)
	return s.streams.relay(w, r, sse{}, func(ctx context.Context) iter.Seq2[agent.Event, error] { return t.run(ctx, req) })
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
