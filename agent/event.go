package agent

import (
	"encoding/json"
	"time"
)

// Event is one of the types in this file. Kind is its name in streams.
type Event interface{ Kind() string }

// RoundStarted reports that the model has begun to answer in a round.
type RoundStarted struct {
	Round  int     `json:"round"`     // from 1
	Waited float64 `json:"waited_ms"` // until its first byte
}

// ToolCall reports that a tool is about to run.
type ToolCall struct {
	ID        string          `json:"id"` // unique in a run
	Round     int             `json:"round"`
	Tool      string          `json:"tool"`      // as the model named it
	Arguments json.RawMessage `json:"arguments"` // a JSON string where the model did not write JSON
}

// ToolResult is the outcome of the call with the same ID.
type ToolResult struct {
	ID     string     `json:"id"`
	Round  int        `json:"round"`
	Tool   string     `json:"tool"`
	Took   float64    `json:"took_ms"`
	Gist   string     `json:"gist,omitempty"`   // one line for a person
	N      int        `json:"n,omitempty"`      // the number under which a hydrated turn may be cited
	Detail any        `json:"result,omitempty"` // *retrieval.Peek or *retrieval.Turn
	Asked  any        `json:"-"`                // query.Query of a peek, with the whole ID in Like
	Error  *ToolError `json:"error,omitempty"`  // what the model received instead
}

// ToolError is a failed call, as the model receives it.
type ToolError struct {
	Code    string `json:"code"` // invalid, not_found, too_large, unknown_tool, budget, repeated
	Message string `json:"message"`
}

// Text is the next part of the answer, already filtered.
type Text struct {
	Text string `json:"text"`
}

// Cited reports that the answer cites a turn for the first time.
type Cited struct{ Citation }

// Citation links a number in the answer to its turn.
type Citation struct {
	N            int        `json:"n"`
	TurnID       string     `json:"turn_id"`
	Conversation string     `json:"conversation_id"`
	Title        string     `json:"title"`
	Time         *time.Time `json:"create_time"` // null: undated

	// AnswerID finds the answer also after another was chosen, which TurnID finds then. Absent: the turn has none.
	AnswerID string `json:"answer_id,omitempty"`
}

// Withdrawn takes back all Text since the run began or since the last Withdrawn.
type Withdrawn struct {
	// Reason is "aside" (text before a tool call), "thought" (the model was thinking) or "retry" (the answer broke
	// off and is requested again).
	Reason string `json:"reason"`
}

// Notice informs the user about the run.
type Notice struct {
	// Code is exploring_ended, limits, one_pass, history_dropped, evidence_halved, hardly_spoken_of, or one of the below.
	Code    string `json:"code"`
	Message string `json:"message"`
}

// The codes of notices about a wait for the model.
const (
	NoticeWaiting     = "waiting"      // for the first token
	NoticeRetrying    = "retrying"     // after a temporary failure
	NoticeRateLimited = "rate_limited" // retrying, too
)

// Waits reports that the notice is about a wait for the model, which is over with the next event.
func (n Notice) Waits() bool {
	return n.Code == NoticeWaiting || n.Code == NoticeRetrying || n.Code == NoticeRateLimited
}

// Partial is what a run has when it fails; the error follows.
type Partial struct {
	Text      string     `json:"text"`          // filtered; all Text since the last Withdrawn, or a report
	Report    bool       `json:"report"`        // Text is what Lens found, and what the model said without evidence
	Truncated bool       `json:"truncated"`     // always
	Finish    Finish     `json:"finish_reason"` // always Unknown: the message has no end
	Citations []Citation `json:"citations"`
	Findings
	Usage Usage    `json:"usage"`
	Model string   `json:"model"`
	Error *Failure `json:"error,omitempty"` // set by the front end that writes it
}

// Findings is what a run has found.
type Findings struct {
	Histograms []any      `json:"histograms"`    // of every peek, in order
	Turns      []Citation `json:"turns_read"`    // by number
	Best       []string   `json:"best_turn_ids"` // the first five of every peek, each once
	Trace      []Step     `json:"trace"`         // the searches and readings, in order
}

// Usage is what the run consumed.
type Usage struct {
	Tokens
	Estimated bool    `json:"estimated"` // counted here, because the server did not report it
	Rounds    int     `json:"rounds"`
	Turns     int     `json:"hydrated_turns"`
	Took      float64 `json:"took_ms"`
	Overhead  float64 `json:"overhead_ms"` // the part of Took not spent waiting for the model
}

// Done is the answer and the last event. The answer is complete unless it is Truncated.
type Done struct {
	Answer    string     `json:"answer"` // all Text since the last Withdrawn
	Finish    Finish     `json:"finish_reason"`
	Truncated bool       `json:"truncated"` // Finish says why: the answer lacks its end, or may lack it
	Evidence  bool       `json:"evidence"`
	Report    bool       `json:"report"`    // it cites nothing: what Lens found comes first, then the model's words
	Sources   []Citation `json:"sources"`   // the turns that a report names; not citations
	Citations []Citation `json:"citations"` // by first mention; empty without evidence
	Turns     []string   `json:"cited_turn_ids"`
	Read      []string   `json:"read_turn_ids"`   // all that were read, Citation.N from 1 on
	Chunks    []string   `json:"cited_chunk_ids"` // those of Turns that are pieces of documents or records, by Turn.Chunk
	Removed   []string   `json:"removed"`         // citations and ids of turns that were not read
	Quotes    []Quote    `json:"quotes"`
	Histogram any        `json:"histogram"` // of the last peek; null without one
	Trace     []Step     `json:"trace"`
	Usage     Usage      `json:"usage"`
	Model     string     `json:"model"`
}

// Quote is a quotation in the answer.
type Quote struct {
	Text     string `json:"text"`
	N        int    `json:"n"` // the turn that contains it or is cited for it; 0: none
	Verbatim bool   `json:"verbatim"`
}

// Step records one tool call.
type Step struct {
	Round     int             `json:"round"`
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
	Gist      string          `json:"gist,omitempty"`
	Error     *ToolError      `json:"error,omitempty"`
	Took      float64         `json:"took_ms"`
}

// Kind returns the name of the event in streams.
func (RoundStarted) Kind() string { return "round" }
func (ToolCall) Kind() string     { return "tool_call" }
func (ToolResult) Kind() string   { return "tool_result" }
func (Text) Kind() string         { return "delta" }
func (Cited) Kind() string        { return "citation" }
func (Withdrawn) Kind() string    { return "withdrawn" }
func (Notice) Kind() string       { return "notice" }
func (Partial) Kind() string      { return "partial" }
func (Usage) Kind() string        { return "usage" }
func (Done) Kind() string         { return "done" }
