package mcpapi

import (
	"fmt"
	"strings"
	"time"

	"lens/agent"
	"lens/retrieval"
)

const turnDescription = "Reads one turn in full: the user's message and the assistant's reply. " +
	"turn_id is an ID that peek returned, or a unique prefix of at least 8 characters. Rely only on turns you have read."

// Limits of a turn's text for a model, in bytes. The resource has all of it.
const (
	maxUser      = 16 << 10
	maxAssistant = 32 << 10
)

// turnOutput is the body of the HTTP route, shortened, with a notice.
type turnOutput struct {
	Note    string `json:"note"`
	Missing int    `json:"characters_left_out" jsonschema:"the resource lens://turn/{id} has the full text"`
	retrieval.Turn
}

func renderTurn(o agent.Outcome) (rendered, error) {
	whole, ok := o.Detail.(*retrieval.Turn)
	if !ok {
		return rendered{}, unexpected(o)
	}
	t := turnOutput{Note: dataNotice, Turn: *whole}
	var missing [2]int
	t.User, missing[0] = cut(t.User, maxUser)
	t.Assistant, missing[1] = cut(t.Assistant, maxAssistant)
	t.Missing = missing[0] + missing[1]
	return rendered{text: turnText(&t.Turn), structured: t}, nil
}

// turnText formats a turn for a model.
func turnText(t *retrieval.Turn) string {
	when := "undated"
	if t.Time != nil {
		when = t.Time.UTC().Format(time.RFC3339)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "turn %s, %s, conversation %s\n", t.TurnID, when, t.Conversation)
	for _, neighbor := range []struct {
		name string
		id   fmt.Stringer
		is   bool
	}{{"before", t.Prev, t.Prev != nil}, {"after", t.Next, t.Next != nil}} {
		if neighbor.is {
			fmt.Fprintf(&b, "turn %s: %s\n", neighbor.name, neighbor.id)
		}
	}
	fmt.Fprintf(&b, "Title: %s\n\nUser: %s\n", t.Title, t.User)
	if t.Summary != "" {
		fmt.Fprintf(&b, "\nSummary of the reply (do not quote): %s\n", t.Summary)
	}
	fmt.Fprintf(&b, "\nAssistant: %s", t.Assistant)
	return fence(b.String())
}

func unexpected(o agent.Outcome) error { return fmt.Errorf("mcp: unexpected tool detail %T", o.Detail) }
