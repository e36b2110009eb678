package agent

import (
	"encoding/json"
	"time"
)

// Event is something that happened in a run: one of the types of this file. Kind names it for streams.
type Event interface{ Kind() string }

// Began says that the model has begun to answer in a round.
type RoundStarted struct {
	Round  int     `json:"round"`     // from 1
	Waited float64 `json:"waited_ms"` // from asking to its first byte
}

// ToolCall says that a tool is about to run.
type ToolCall struct {
	ID        string          `json:"id"` // unique in a run
	Round     int             `json:"round"`
	Tool      string          `json:"tool"`      // as the model named it
	Arguments json.RawMessage `json:"arguments"` // a JSON string of what the model wrote, when that is no JSON
}

// ToolResult says what the call of the same ID brought.
type ToolResult struct {
	ID     string     `json:"id"`
	Round  int        `json:"round"`
	Tool   string     `json:"tool"`
	Took   float64    `json:"took_ms"`
	Gist   string     `json:"gist,omitempty"`   // one line for a person
	N      int        `json:"n,omitempty"`      // the number under which a hydrated turn may be cited
	Detail any        `json:"result,omitempty"` // *retrieval.Peek or *retrieval.Turn
	Error  *ToolError `json:"error,omitempty"`  // what the model was told instead
}

// ToolError is a call that did not work, as the model is told.
type ToolError struct {
	Code    string `json:"code"` // invalid, not_found, too_large, unknown_tool, budget, repeated
	Message string `json:"message"`
}

// Text is more of the answer, checked by the gate.
type Text struct {
	Text string `json:"text"`
}

// Cited says that the answer cites a turn for the first time.
type Cited struct{ Citation }

// Citation is a number of the answer and the turn behind it.
type Citation struct {
	N            int        `json:"n"`
	TurnID       string     `json:"turn_id"`
	Conversation string     `json:"conversation_id"`
	Title        string     `json:"title"`
	Time         *time.Time `json:"create_time"` // null: undated
}

// Withdrawn takes back all Text since the run began or since the last Withdrawn: it was no part of the answer.
type Withdrawn struct {
	Reason string `json:"reason"` // "aside": said before calling a tool; "thought": the model thought aloud; "retry": it broke off and is asked for again
}

// Notice tells a person about the run.
type Notice struct {
	Code    string `json:"code"` // exploring_ended, one_pass, cut_short, filtered, history_dropped
	Message string `json:"message"`
}

// Partial is what there is of an answer when an error follows. It went through the gate.
type Partial struct {
	Text      string     `json:"text"`
	Citations []Citation `json:"citations"`
}

// Usage is what the run took.
type Usage struct {
	Tokens
	Estimated bool    `json:"estimated"` // the server did not say: counted here
	Rounds    int     `json:"rounds"`
	Turns     int     `json:"hydrated_turns"`
	Took      float64 `json:"took_ms"`
	Overhead  float64 `json:"overhead_ms"` // of Took, what was not spent waiting for the model
}

// Done is the answer, complete. It is the last event.
type Done struct {
	Answer    string     `json:"answer"` // all Text since the last Withdrawn
	Evidence  bool       `json:"evidence"`
	Citations []Citation `json:"citations"` // by first mention; empty without evidence
	Turns     []string   `json:"cited_turn_ids"`
	Removed   []string   `json:"removed"` // citations and ids that were taken out because nothing read bears them
	Quotes    []Quote    `json:"quotes"`
	Histogram any        `json:"histogram"` // of the last peek; null without one
	Trace     []Step     `json:"trace"`
	Usage     Usage      `json:"usage"`
	Model     string     `json:"model"`
}

// Quote is a quotation in the answer.
type Quote struct {
	Text     string `json:"text"`
	N        int    `json:"n"` // the turn it stands in, or is said to; 0: none
	Verbatim bool   `json:"verbatim"`
}

// Step is a tool call in hindsight.
type Step struct {
	Round     int             `json:"round"`
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
	Gist      string          `json:"gist,omitempty"`
	Error     *ToolError      `json:"error,omitempty"`
	Took      float64         `json:"took_ms"`
}

// The names of events in streams.
func (RoundStarted) Kind() string      { return "round" }
func (ToolCall) Kind() string   { return "tool_call" }
func (ToolResult) Kind() string { return "tool_result" }
func (Text) Kind() string       { return "delta" }
func (Cited) Kind() string      { return "citation" }
func (Withdrawn) Kind() string  { return "withdrawn" }
func (Notice) Kind() string     { return "notice" }
func (Partial) Kind() string    { return "partial" }
func (Usage) Kind() string      { return "usage" }
func (Done) Kind() string       { return "done" }
