package agent

import (
	"context"
	"encoding/json"
	"time"
)

// Tool is a read-only function that a model may call.
type Tool interface {
	Spec() Spec

	// Call runs the tool, also beside other calls. The model wrote arguments, so they may be anything. An error with
	// the code invalid, not_found or too_large goes back to the model; any other ends the run.
	Call(ctx context.Context, arguments json.RawMessage) (Outcome, error)
}

// The tools that a run knows by name, because onePass calls both itself. ToolPeek takes {"query", "dates"} and returns
// Outcome.Found; ToolTurn takes {"turn_id"} and returns Outcome.Turn.
const (
	ToolPeek = "peek"
	ToolTurn = "turn"
)

// Outcome is the result of a call.
type Outcome struct {
	Text   string   // what the model reads; if Turn is set, the run writes it
	Brief  string   // replaces Text when the context is full
	Gist   string   // one line for the user: "312 turns, most in 2024-05"
	Report string   // what a search found, in Markdown, for a user who gets no answer
	Found  []string // ids of turns, best first
	Turn   *Turn    // full text, set by ToolTurn

	Confidence *float64 // how likely the archive speaks of the query of a peek, 0 to 1; nil: unknown
	Doubt      string   // a sentence for the user, if that is hardly likely

	Detail    any // for front ends: the *retrieval.Peek or *retrieval.Turn
	Asked     any // for front ends: the query.Query of a peek, with the whole ID in Like
	Histogram any // of a peek, as it appears in JSON
}

// Turn is a turn with its full text.
type Turn struct {
	ID           string
	Conversation string
	Title        string
	Time         *time.Time // nil: undated
	User         string
	Assistant    string
	Summary      string // may be empty
	Answer       string // id of the answer, also after another was chosen; empty: none
	Chunk        string // the id of the piece of a document or record that it is; empty: an exchange of a chat
}

// day returns the turn's date, such as 2024-05-14, or "undated".
func (t *Turn) day() string {
	if t.Time == nil {
		return "undated"
	}
	return t.Time.UTC().Format(time.DateOnly)
}
