package chat

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"lens/store"
)

// TestSeparate takes copies out of a session: of those messages others have all that are marked.
func TestSeparate(t *testing.T) {
	at := func(n int) uuid.UUID { return uuid.UUID{15: byte(n)} }
	session := func(source store.Source) *store.Conversation {
		c := &store.Conversation{ID: at(99), Source: source, Title: "q1"}
		for i, text := range []string{"q1", "tool", "a1", "q2", "a2", "q3", "a3"} {
			role := store.Assistant
			if text[0] == 'q' {
				role = store.User
			}
			m := store.Message{ID: at(i + 1), Role: role, Text: text, Visible: text != "tool", OnPath: true}
			if i > 0 {
				m.Parent = at(i)
			}
			c.Messages = append(c.Messages, m)
		}
		MakeTurns(c)
		return c
	}
	for name, c := range map[string]struct {
		source store.Source
		shared string
		want   string
	}{
		"nothing":              {store.ClaudeCode, "", "q1: q1 tool a1 q2 a2 q3 a3 | q1/a1 q2/a2 q3/a3"},
		"two turns":            {store.ClaudeCode, "q1 tool a1 q2 a2", "q3: q3 a3 | q3/a3"},
		"one in the middle":    {store.Codex, "q2 a2", "q1: q1 tool a1 q3 a3 | q1/a1 q3/a3"},
		"all":                  {store.Codex, "q1 tool a1 q2 a2 q3 a3", "q1: |"},
		"an answer is its own": {store.Codex, "q1 tool a1 q2", "q2: q2' a2 q3 a3 | q2/a2 q3/a3"},
		"of other sources":     {store.ChatGPT, "q1 a1", "q1: q1' tool a1' q2 a2 q3 a3 | q1/a1 q2/a2 q3/a3"},
	} {
		t.Run(name, func(t *testing.T) {
			got := session(c.source)
			shared, texts := map[uuid.UUID]bool{}, map[uuid.UUID]string{}
			for _, m := range got.Messages {
				shared[m.ID] = strings.Contains(c.shared, m.Text)
				texts[m.ID], texts[OwnID(got.ID, m.ID)] = m.Text, m.Text+"'"
			}
			Separate(got, shared)
			if s := shownSeparate(got, texts); s != c.want {
				t.Errorf("got  %s\nwant %s", s, c.want)
			}
		})
	}
}

// shownSeparate shows a conversation: messages with another id have a mark, and those that hang elsewhere than on the
// one before say where.
func shownSeparate(c *store.Conversation, texts map[uuid.UUID]string) string {
	var b strings.Builder
	b.WriteString(c.Title + ":")
	above := uuid.Nil
	for i, m := range c.Messages {
		fmt.Fprint(&b, " ", texts[m.ID])
		if m.Parent != above || m.Seq != i {
			fmt.Fprintf(&b, " is %d, under %s", m.Seq, texts[m.Parent])
		}
		above = m.ID
	}
	b.WriteString(" |")
	for i, turn := range c.Turns {
		fmt.Fprintf(&b, " %s/%s", turn.UserText, turn.AssistantText)
		if turn.Position != i {
			fmt.Fprintf(&b, " at %d", turn.Position)
		}
	}
	return b.String()
}
