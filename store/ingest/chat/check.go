package chat

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"lens/store"
)

// Check returns an error for the first invariant that p violates: counts that do not add up, a missing parent, a
// message in two turns, a text that a database would refuse. Results of Build satisfy all of them.
func (p *Parsed) Check() error {
	kept := p.Count.Messages
	for _, n := range p.Count.Skipped {
		kept += n
	}
	if kept != p.Count.Nodes || p.Count.Messages != len(p.Messages) {
		return fmt.Errorf("chat: %d nodes, but %d messages kept and %d accounted for", p.Count.Nodes, len(p.Messages), kept)
	}
	if p.ID == uuid.Nil || !storable(p.Title) || !storable(p.SourceID) || !storable(p.Model) {
		return fmt.Errorf("chat: conversation %s cannot be stored", p.ID)
	}
	turns, err := p.checkTurns()
	if err != nil {
		return err
	}
	return p.checkMessages(turns)
}

// turnContent is the content of a turn according to its messages.
type turnContent struct {
	user             int
	replies          []string
	first, assistant uuid.UUID
}

func (p *Parsed) checkTurns() (map[uuid.UUID]*turnContent, error) {
	turns := make(map[uuid.UUID]*turnContent, len(p.Turns))
	for i := range p.Turns {
		t := &p.Turns[i]
		switch {
		case turns[t.ID] != nil:
			return nil, fmt.Errorf("chat: turn %s occurs twice", t.ID)
		case t.Position != i || i > 0 && t.OnPath && !p.Turns[i-1].OnPath:
			return nil, fmt.Errorf("chat: turn %s is out of order", t.ID)
		case t.Time.IsZero() != (t.TimeSource == store.Undated):
			return nil, fmt.Errorf("chat: turn %s has a time and is undated, or the reverse", t.ID)
		case t.Embeddable != ((t.UserText != "" || t.Source.Chunked()) && t.AssistantText != "" && IsChosen(t)):
			return nil, fmt.Errorf("chat: turn %s is embeddable without text or not chosen, or the reverse", t.ID)
		}
		turns[t.ID] = &turnContent{}
	}
	return turns, nil
}

func (p *Parsed) checkMessages(turns map[uuid.UUID]*turnContent) error {
	seen, asked := map[uuid.UUID]bool{uuid.Nil: true}, map[uuid.UUID]string{} // the texts of user messages
	for i := range p.Messages {
		m := &p.Messages[i]
		switch {
		case seen[m.ID] || !seen[m.Parent] || m.Seq != i:
			return fmt.Errorf("chat: message %s occurs twice, before its parent, or out of order", m.ID)
		case !storable(m.Text), !storable(m.Summary), !storable(string(m.Raw)),
			!storable(m.SourceID + m.ContentType + m.Model):
			return fmt.Errorf("chat: message %s cannot be stored", m.ID)
		case len(m.Raw) > 0 && !jsontext.Value(m.Raw).IsValid(lenient...):
			return fmt.Errorf("chat: message %s has malformed JSON", m.ID)
		case len(m.Text) > MaxText || m.Turn != uuid.Nil && !m.Visible:
			return fmt.Errorf("chat: message %s is too long, or in a turn and not visible", m.ID)
		}
		seen[m.ID] = true
		if m.Role == store.User && m.Visible {
			asked[m.ID] = m.Text
		}
		if m.Turn == uuid.Nil {
			continue
		}
		t := turns[m.Turn]
		if t == nil {
			return fmt.Errorf("chat: message %s belongs to an unknown turn", m.ID)
		}
		if m.Role == store.User {
			t.user++
		} else {
			if len(t.replies) == 0 {
				t.first = m.ID
			}
			t.replies, t.assistant = append(t.replies, m.Text), m.ID
		}
	}
	for i := range p.Turns {
		t := &p.Turns[i]
		if got := turns[t.ID]; !got.asks(t, asked) || got.assistant != t.Assistant ||
			strings.Join(got.replies, "\n\n") != t.AssistantText {
			return fmt.Errorf("chat: turn %s does not match its messages", t.ID)
		}
	}
	return nil
}

// asks reports whether a turn has the id and the question that its messages tell. An answer that was not chosen has the
// question of the one that was.
func (c *turnContent) asks(t *store.Turn, asked map[uuid.UUID]string) bool {
	if IsChosen(t) {
		return c.user == 1 || c.user == 0 && t.UserText == "" && len(c.replies) > 0
	}
	question, known := asked[t.UserMessage]
	return c.user == 0 && !t.OnPath && known && question == t.UserText && t.ID == store.AnswerID(t.UserMessage, c.first)
}

func storable(s string) bool { return utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 }
