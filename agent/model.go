package agent

import (
	"context"
	"encoding/json"
	"iter"
)

// Model is a chat model that can call tools.
type Model interface {
	// Name names the model, as it is shown and kept as provenance.
	Name() string

	// Tokens returns how many tokens text has in the model's own tokenizer, or the nearest that is known.
	Tokens(text string) int

	// Stream asks for the next message and yields it as it comes; the last Delta carries Finish. Errors wrap ErrBroken when the message
	// breaks off and ErrNoTools when the model cannot be given tools. It stops, and frees what it holds, when ctx is over or nobody
	// wants more.
	Stream(ctx context.Context, p Prompt) iter.Seq2[Delta, error]
}

// Prompt is what a model is sent.
type Prompt struct {
	Messages []Message
	Tools    []Spec
	Answer   bool // call none of Tools, they are only told so that earlier calls make sense
}

// Role is who speaks.
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

// Call is a tool call, as the model wrote it: Arguments may be anything.
type Call struct{ ID, Name, Arguments string }

// Spec describes a tool to a model.
type Spec struct {
	Name        string
	Description string
	Schema      json.RawMessage // JSON Schema of the arguments, an object
}

// Delta is what a model has said since the one before. An empty Delta is a sign of life.
type Delta struct {
	Text   string
	DiscardText  bool   // the Text of all deltas before was the model thinking aloud, and no part of the message
	Calls  []Call // all of the message, with Finish
	Finish Finish // "" while more is to come
	Tokens Tokens // of the whole request, with Finish; zero when the server does not say
}

// Finish is why a message is over.
type Finish string

// The reasons of the chat API that matter here; any other counts as Stop.
const (
	Stop     Finish = "stop"
	Length   Finish = "length"         // the model may say no more
	Filtered Finish = "content_filter" // the server withholds the rest
)

// Tokens counts what was sent and what came back.
type Tokens struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
}
