package agent

import (
	"context"
	"encoding/json"
	"time"
)

// Tool is something that a model may do. Tools only read.
type Tool interface {
	Spec() Spec

	// Call runs the tool. arguments is what the model wrote, and may be anything. An error that carries the code invalid, not_found or
	// too_large goes back to the model; any other ends the run.
	Call(ctx context.Context, arguments json.RawMessage) (Outcome, error)
}

// The tools that a run knows by name, because one pass without a model's choice goes through both: Peek is called with {"query"} and
// answers with Outcome.Found, Hydrate with {"turn_id"} and answers with Outcome.Turn.
const (
	Peek    = "peek"
	Hydrate = "turn"
)

// Outcome is what a call brought.
type Outcome struct {
	Text  string   // what the model reads of it; of a Turn, the run writes it
	Brief string   // what is left of Text when room is needed
	Gist  string   // one line for a person: "312 turns, most in 2024-05"
	Found []string // ids of turns, best first
	Turn  *Turn    // hydrated

	Detail    any // for faces: what agent/tools got from the archive, a *retrieval.Peek or a *retrieval.Turn
	Histogram any // of a peek, as JSON shows it
}

// Turn is a hydrated turn.
type Turn struct {
	ID           string
	Conversation string
	Title        string
	Time         *time.Time // nil: undated
	User         string
	Assistant    string
	Summary      string // "" for none
}

// day is the turn's date as the model and people read it.
func (t *Turn) day() string {
	if t.Time == nil {
		return "undated"
	}
	return t.Time.UTC().Format(time.DateOnly)
}
