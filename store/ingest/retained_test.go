package ingest_test

import (
	"slices"
	"testing"

	"lens/store/ingest"
)

// A turn that a newer export no longer has keeps its text, whatever happens to its messages.
func TestReimport_RetainedTurnKeepsText(t *testing.T) {
	for name, change := range map[string]func(*chat){
		"its question is hidden":                 func(c *chat) { c.messages[2].hidden = true },
		"question and answer are hidden":         func(c *chat) { c.messages[2].hidden, c.messages[3].hidden = true, true },
		"its question is from the assistant":     func(c *chat) { c.messages[2].role = "assistant" },
		"its question is from a tool":            func(c *chat) { c.messages[2].role = "tool" },
		"its answer belongs to another question": func(c *chat) { c.messages[2] = user("h3b", "Where do herons nest?") },
		"its question is empty and hidden": func(c *chat) {
			c.messages[2].text, c.messages[2].hidden = "", true
		},
	} {
		t.Run(name, func(t *testing.T) {
			st := embeddedHeron(t)
			before := turnOf(t, st, "h3")
			changed := heron()
			changed.updated++
			change(&changed)
			for range 2 { // the second import only has a later update time
				importChats(t, st, []chat{changed})
				after := turnOf(t, st, "h3")
				if after.OnPath || after.UserText != before.UserText || after.AssistantText != before.AssistantText || !after.Embeddable || after.Ord != before.Ord {
					t.Errorf("turn %+v", after)
				}
				if got := vectors(t, st, "h3"); len(got) != 1 || !findsTurn(t, st, "nest", "h3") {
					t.Errorf("vectors of %v", got)
				}
				if r := importChats(t, st, []chat{changed}); r.Changed() {
					t.Errorf("again: %+v", r)
				}
				changed.updated++
			}
			messages, err := st.Messages(t.Context(), testID("heron"))
			if err != nil {
				t.Fatal(err)
			}
			for i, m := range messages {
				if m.Seq != i {
					t.Errorf("message %d has seq %d", i, m.Seq)
				}
			}
		})
	}
}

func TestReimport_TurnComesBackAndLeaves(t *testing.T) {
	st := embeddedHeron(t)
	before := turnOf(t, st, "h3")
	for n := range 4 {
		c := heron()
		c.updated += float64(n + 1)
		c.messages = slices.Clone(c.messages)
		c.messages[2].hidden = n%2 == 0
		if r := importChats(t, st, []chat{c}); r.Conversations != (ingest.Changes{Updated: 1}) {
			t.Errorf("receipt %+v", r)
		}
		after := turnOf(t, st, "h3")
		if after.OnPath != (n%2 == 1) || after.UserText != before.UserText || after.AssistantText != before.AssistantText {
			t.Errorf("after %d changes: %+v", n+1, after)
		}
	}
}
