package httpapi

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	strict "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"

	"lens/agent"
)

// completionsBody is the part of a completion request that has an effect.
type completionsBody struct {
	Model         string               `json:"model"`
	Messages      []completionsMessage `json:"messages"`
	Stream        bool                 `json:"stream,omitempty"`
	StreamOptions streamOptions        `json:"stream_options,omitzero"`
	N             int                  `json:"n,omitempty"`
}

type streamOptions struct {
	IncludeUsage bool `json:"include_usage,omitempty"`
}

type completionsMessage struct {
	Role    string      `json:"role"`
	Content messageText `json:"content,omitempty"`
}

// messageText is a text, a list of text parts, or null.
type messageText string

// messageTextSchema is the schema of a messageText.
var messageTextSchema = &jsonschema.Schema{
	Types: []string{"string", "array", "null"}, Description: "Text, or a list of parts of type text.",
	Items: &jsonschema.Schema{
		Type: "object", Required: []string{"type", "text"},
		Properties: map[string]*jsonschema.Schema{
			"type": {Type: "string", Enum: []any{"text"}}, "text": {Type: "string"},
		},
	},
}

var errUnknownModel = &problem{Code: codeNotFound, Message: "Unknown model.", Hint: "Use lens."}

var errNotText = &problem{Code: codeInvalid, Message: "lens reads text only. Remove images, audio and files."}

// UnmarshalJSON implements json.Unmarshaler.
func (t *messageText) UnmarshalJSON(raw []byte) error {
	var plain string
	if json.Unmarshal(raw, &plain) == nil {
		*t = messageText(plain)
		return nil
	}
	var parts []struct {
		Type string  `json:"type"`
		Text *string `json:"text"`
	}
	if json.Unmarshal(raw, &parts) != nil {
		return invalid("content must be text or a list of text parts.")
	}
	var texts []string
	for _, p := range parts {
		if p.Type != "text" || p.Text == nil {
			return errNotText
		}
		texts = append(texts, *p.Text)
	}
	*t = messageText(strings.Join(texts, "\n"))
	return nil
}

// readCompletions reads a body. It ignores unknown members, because clients send many that have no effect here.
func readCompletions(r *http.Request) (input completionsBody, err error) {
	var text jsontext.Value
	if err := readJSON(r, &text); err != nil {
		return input, err
	}
	err = strict.Unmarshal(text, &input)
	var known *problem
	switch {
	case errors.As(err, &known):
		return input, known
	case err != nil:
		return input, invalid(describeJSONError(err))
	case text.Kind() != '{' || input.Model == "":
		return input, invalid("model is missing. Use lens.")
	case input.Model != completionsModel:
		return input, errUnknownModel
	case input.N > 1 || input.N < 0:
		return input, invalid("n must be 1.")
	}
	return input, nil
}

// messages returns the messages for the agent. System messages of a client become user messages: the agent's own rules
// come first.
func (b completionsBody) messages() ([]agent.Message, error) {
	var all []agent.Message
	for _, m := range b.Messages {
		text := string(m.Content)
		role := agent.User
		switch m.Role {
		case "user", "system", "developer":
		case "assistant":
			role, text = agent.Assistant, withoutSources(text)
		default:
			return nil, invalid("role must be system, developer, user or assistant. Client tools are not supported.")
		}
		if strings.TrimSpace(text) != "" {
			all = append(all, agent.Message{Role: role, Text: text})
		}
	}
	last := len(b.Messages) - 1
	if last < 0 || b.Messages[last].Role != "user" || strings.TrimSpace(string(b.Messages[last].Content)) == "" {
		return nil, invalid("The last message must have the role user and some content.")
	}
	return all, nil
}

// refine implements refiner: clients send members that have no effect here.
func (completionsBody) refine(s *jsonschema.Schema) {
	relax(s)
	requireList(s, "messages", 1, 0)
	s.Properties["model"].Enum = []any{completionsModel}
	s.Properties["n"].Enum = []any{1}
}

// relax makes a schema accept members that it does not name.
func relax(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	s.AdditionalProperties = nil
	relax(s.Items)
	for _, p := range s.Properties {
		relax(p)
	}
}
