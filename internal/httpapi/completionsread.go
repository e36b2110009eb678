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

// completionsBody is what counts of a request for a chat completion.
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
	Role    string     `json:"role"`
	Content spokenText `json:"content,omitempty"`
}

// spokenText is a text, or a list of parts that are texts, or null.
type spokenText string

// spokenSchema is what a spokenText looks like.
var spokenSchema = &jsonschema.Schema{
	Types: []string{"string", "array", "null"}, Description: "A text, or a list of parts of the type text.",
	Items: &jsonschema.Schema{Type: "object", Required: []string{"type", "text"}, Properties: map[string]*jsonschema.Schema{
		"type": {Type: "string", Enum: []any{"text"}}, "text": {Type: "string"},
	}},
}

var errNotText = &problem{Code: codeInvalid, Message: "lens reads text only: leave out images, sounds and files, or describe them."}

// UnmarshalJSON implements json.Unmarshaler.
func (t *spokenText) UnmarshalJSON(raw []byte) error {
	var plain string
	if json.Unmarshal(raw, &plain) == nil {
		*t = spokenText(plain)
		return nil
	}
	var parts []struct {
		Type string  `json:"type"`
		Text *string `json:"text"`
	}
	if json.Unmarshal(raw, &parts) != nil {
		return invalid("A message's content is a text, or a list of parts that are texts.")
	}
	var texts []string
	for _, p := range parts {
		if p.Type != "text" || p.Text == nil {
			return errNotText
		}
		texts = append(texts, *p.Text)
	}
	*t = spokenText(strings.Join(texts, "\n"))
	return nil
}

// readCompletions reads a body. Clients say much that means nothing here: what is unknown is passed over.
func readCompletions(r *http.Request) (ask completionsBody, err error) {
	var text jsontext.Value
	if err := readJSON(r, &text); err != nil {
		return ask, err
	}
	err = strict.Unmarshal(text, &ask)
	var known *problem
	switch {
	case errors.As(err, &known):
		return ask, known
	case err != nil:
		return ask, invalid(whatIsWrong(err))
	case text.Kind() != '{' || ask.Model == "":
		return ask, invalid("The body must name a model: lens is the only one.")
	case ask.Model != completionsModel:
		return ask, &problem{Code: codeNotFound, Message: "There is no such model here: lens is the only one."}
	case ask.N > 1 || ask.N < 0:
		return ask, invalid("n must be 1: one answer is made at a time.")
	}
	return ask, nil
}

// messages returns what was said, as the investigator reads it. What a client tells the system is said by the user: the investigator obeys its
// own rules first.
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
			return nil, invalid("A role is system, developer, user or assistant. lens calls no tools of its client.")
		}
		if strings.TrimSpace(text) != "" {
			all = append(all, agent.Message{Role: role, Text: text})
		}
	}
	if last := len(b.Messages) - 1; last < 0 || b.Messages[last].Role != "user" || strings.TrimSpace(string(b.Messages[last].Content)) == "" {
		return nil, invalid("The last of messages is the question: its role is user, and it says something.")
	}
	return all, nil
}

// relax lets a schema's objects have members that it does not name.
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
