package mcpapi

import (
	"fmt"
	"strings"
	"time"

	"lens/agent"
	"lens/agent/tools"
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
	Note    string `json:"note,omitempty"` // of a turn alone
	Missing int    `json:"characters_left_out" jsonschema:"the resource lens://turn/{id} has the full text"`
	retrieval.Turn
}

func renderTurn(o agent.Outcome) (rendered, error) {
	whole, ok := o.Detail.(*retrieval.Turn)
	if !ok {
		return rendered{}, unexpected(o)
	}
	t := shortened(whole, 1)
	t.Note = dataNotice
	return rendered{text: fence(turnText(&t.Turn)), structured: t}, nil
}

// shortened returns a turn with the share of one in n of the limits.
func shortened(whole *retrieval.Turn, n int) turnOutput {
	t := turnOutput{Turn: *whole}
	var missing [2]int
	t.User, missing[0] = cut(t.User, maxUser/n)
	t.Assistant, missing[1] = cut(t.Assistant, maxAssistant/n)
	t.Missing = missing[0] + missing[1]
	return t
}

// turnsOutput is the body of the HTTP route, shortened, with a notice.
type turnsOutput struct {
	Note    string       `json:"note"`
	Turns   []turnOutput `json:"turns"`
	Missing []string     `json:"missing" jsonschema:"IDs that no turn has"`
}

// fullTurns is how many turns have the limits of one: more than that share them.
const fullTurns = 4

// turnsEntry is the tool turns.
func turnsEntry(engine Engine) toolEntry {
	return toolEntry{
		Tool: tools.NewTurns(engine), title: "Read several turns", output: schemaOf[turnsOutput](), render: renderTurns,
	}
}

func renderTurns(o agent.Outcome) (rendered, error) {
	found, ok := o.Detail.(*retrieval.Turns)
	if !ok {
		return rendered{}, unexpected(o)
	}
	out := turnsOutput{dataNotice, []turnOutput{}, found.Missing}
	var texts []string
	for _, whole := range found.Turns {
		t := shortened(whole, (len(found.Turns)+fullTurns-1)/fullTurns)
		out.Turns, texts = append(out.Turns, t), append(texts, turnText(&t.Turn))
	}
	for _, id := range found.Missing {
		texts = append(texts, "No turn ID starts with "+id+".")
	}
	return rendered{text: fence(strings.Join(texts, "\n\n")), structured: out}, nil
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
	return b.String()
}

func unexpected(o agent.Outcome) error { return fmt.Errorf("mcp: unexpected tool detail %T", o.Detail) }
