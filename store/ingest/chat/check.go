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
	user      int
	replies   []string
	assistant uuid.UUID
}

func (p *Parsed) checkTurns() (map[uuid.UUID]*turnContent, error) {
	turns := make(map[uuid.UUID]*turnContent, len(p.Turns))
	for i := range p.Turns {
		t := &p.Turns[i]
		switch {
		case turns[t.ID] != nil || t.ID != store.TurnID(t.UserMessage):
			return nil, fmt.Errorf("chat: turn %s occurs twice or has a wrong id", t.ID)
		case t.Position != i || i > 0 && t.OnPath && !p.Turns[i-1].OnPath:
			return nil, fmt.Errorf("chat: turn %s is out of order", t.ID)
		case t.Time.IsZero() != (t.TimeSource == store.Undated):
			return nil, fmt.Errorf("chat: turn %s has a time and is undated, or the reverse", t.ID)
		case t.Embeddable != ((t.UserText != "" || t.Source.Chunked()) && t.AssistantText != ""):
			return nil, fmt.Errorf("chat: turn %s is embeddable without text, or the reverse", t.ID)
		}
		turns[t.ID] = &turnContent{}
	}
	return turns, nil
}

func (p *Parsed) checkMessages(turns map[uuid.UUID]*turnContent) error {
	seen := map[uuid.UUID]bool{uuid.Nil: true}
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
			t.replies, t.assistant = append(t.replies, m.Text), m.ID
		}
	}
	for i := range p.Turns {
		t := &p.Turns[i]
		got := turns[t.ID]
		asked := got.user == 1 || got.user == 0 && t.UserText == "" && len(got.replies) > 0
		if !asked || got.assistant != t.Assistant || strings.Join(got.replies, "\n\n") != t.AssistantText {
			return fmt.Errorf("chat: turn %s does not match its messages", t.ID)
		}
	}
	return nil
}

func storable(s string) bool { return utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 }
