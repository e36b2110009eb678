package mcpapi

import (
	"fmt"
	"strings"
	"time"

	"lens/agent"
	"lens/retrieval"
)

const turnDescription = "Reads one turn in full: what the person wrote and what the assistant replied. turn_id is an id that peek lists, or its first 8 characters or more. Only what was read should be relied on."

// What a model gets of one turn, in bytes; the resource has all of it.
const (
	maxUser      = 16 << 10
	maxAssistant = 32 << 10
)

// turnOutput is a turn as HTTP gives it, shortened, and a note.
type turnOutput struct {
	Note    string `json:"note"`
	Missing int    `json:"characters_left_out" jsonschema:"of user and assistant together; the resource lens://turn/{id} has all of them"`
	retrieval.Turn
}

func showTurn(o agent.Outcome) (shown, error) {
	whole, ok := o.Detail.(*retrieval.Turn)
	if !ok {
		return shown{}, unexpected(o)
	}
	t := turnOutput{Note: note, Turn: *whole}
	var missing [2]int
	t.User, missing[0] = cut(t.User, maxUser)
	t.Assistant, missing[1] = cut(t.Assistant, maxAssistant)
	t.Missing = missing[0] + missing[1]
	return shown{text: turnText(&t.Turn), structured: t}, nil
}

// turnText writes a turn for a model.
func turnText(t *retrieval.Turn) string {
	when := "undated"
	if t.Time != nil {
		when = t.Time.UTC().Format(time.RFC3339)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "turn %s, %s, conversation %s\n", t.TurnID, when, t.Conversation)
	for _, neighbour := range []struct {
		name string
		id   fmt.Stringer
		is   bool
	}{{"before", t.Prev, t.Prev != nil}, {"after", t.Next, t.Next != nil}} {
		if neighbour.is {
			fmt.Fprintf(&b, "the turn %s it: %s\n", neighbour.name, neighbour.id)
		}
	}
	fmt.Fprintf(&b, "Title: %s\n\nUser: %s\n", t.Title, t.User)
	if t.Summary != "" {
		fmt.Fprintf(&b, "\nSummary of the reply, not to be quoted: %s\n", t.Summary)
	}
	fmt.Fprintf(&b, "\nAssistant: %s", t.Assistant)
	return fenced(b.String())
}

func unexpected(o agent.Outcome) error { return fmt.Errorf("mcp: a tool brought %T", o.Detail) }
