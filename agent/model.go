package agent

import (
	"context"
	"encoding/json"
	"iter"
	"slices"
)

// Model is a chat model that can call tools.
type Model interface {
	// Name returns the model's name, as shown and stored as provenance.
	Name() string

	// Tokens returns the number of tokens of text: never fewer than by the model's tokenizer, or an estimate (see
	// TokenRatio) if that is unknown.
	Tokens(text string) int

	// Stream requests the next message and yields it as it arrives; the last Delta carries Finish. Errors wrap
	// ErrBroken when the message breaks off, ErrNoTools when the model does not support tools and ErrContextTooLong
	// when the prompt, or the prompt and MaxTokens together, are too long for it. It stops and frees its resources
	// when ctx is over or the consumer stops.
	Stream(ctx context.Context, p Prompt) iter.Seq2[Delta, error]
}

// Prompt is one request to a model.
type Prompt struct {
	Messages []Message
	Tools    []Spec
	Answer   bool // call none of Tools; they are listed only so that earlier calls make sense

	// MaxTokens is the output limit: the message and the thoughts before it. A Model that is known to think for long
	// adds room for that. An answer that reaches the limit finishes with Length. 0: no limit is sent.
	MaxTokens int
}

// Role is the author of a message.
type Role string

// The roles of the chat API.
const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
	ToolRole  Role = "tool"
)

// Message is one message of a conversation with a model.
type Message struct {
	Role  Role
	Text  string
	Calls []Call // the assistant's
	Call  string // id of the call that a tool's message answers
}

// Call is a tool call as the model wrote it; Arguments need not be valid JSON.
type Call struct{ ID, Name, Arguments string }

// Spec describes a tool to a model.
type Spec struct {
	Name        string
	Description string
	Schema      json.RawMessage // JSON Schema of the arguments, an object
}

// Delta is the next part of a message. An empty Delta shows that the server is alive.
type Delta struct {
	Notice *Notice // why the message does not come yet: such a Delta has nothing else and does not belong to it

	Text        string
	Thought     string // the next part of the model's thinking, which is not part of the message
	DiscardText bool   // the Text of all earlier deltas was thinking and does not belong to the message
	Calls       []Call // of the whole message, with Finish
	Finish      Finish // empty while more is to come
	Tokens      Tokens // of the whole request, with Finish; zero when the server does not report it
}

// Finish is the reason a message ended.
type Finish string

// The finish reasons that matter here; any other counts as Stop. Repetition and Template are a run's own: it ends a
// message that goes on without an end.
const (
	Stop       Finish = "stop"
	Length     Finish = "length"         // the model's output limit
	Filtered   Finish = "content_filter" // the server withheld the rest
	Unknown    Finish = "unknown"        // the server ended the message without a reason, or with one that is not known
	Repetition Finish = "repetition"     // the model repeated itself again and again
	Template   Finish = "template"       // the model printed the markers of its chat template
)

// Finishes are all finish reasons.
var Finishes = []Finish{Stop, Length, Filtered, Unknown, Repetition, Template}

// Cuts reports whether a message that ended for this reason lacks its end, or may lack it.
func (f Finish) Cuts() bool { return f != Stop && slices.Contains(Finishes, f) }

// Explain says in one sentence how an answer was cut; "" if it was not.
func (f Finish) Explain() string {
	switch f {
	case Length:
		return "The answer was cut at the model's output limit."
	case Filtered:
		return "The model server withheld the rest of the answer."
	case Unknown:
		return "The answer may be cut: the model server did not say why it ended."
	case Repetition:
		return "The answer was cut: the model went in circles."
	case Template:
		return "The answer was cut: the model printed the markers of its chat template."
	}
	return ""
}

// Tokens counts the tokens of a request and its answer.
type Tokens struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
}
