package ingest

import (
	"slices"
	"strings"

	"github.com/google/uuid"

	"lens/store"
	"lens/store/terms"
)

// turnTerms returns the terms of a turn for the keyword index and sets the turn's Length.
func turnTerms(a *terms.Analyzer, t *store.Turn) []store.TermCount {
	counts := a.Turn(t)
	t.Length = terms.Length(counts)
	return counts
}

// readsDifferently reports whether two versions of a turn differ in text or facts, so that the keyword index must
// change.
func readsDifferently(now, stored *store.Turn) bool {
	return now.UserText != stored.UserText || now.AssistantText != stored.AssistantText ||
		!slices.Equal(now.Chunk.Facts(), stored.Chunk.Facts()) || !slices.Equal(now.Facts(), stored.Facts())
}

// assemble rebuilds the texts of turns from the messages of their conversation, in order of Seq, as backends do on
// reading.
func assemble(turns []store.Turn, messages []store.Message) {
	byID := make(map[uuid.UUID]*store.Turn, len(turns))
	replies := make([][]string, len(turns))
	for i := range turns {
		t := &turns[i]
		t.UserText, t.AssistantText, t.Summary, t.CodeType, t.Position = "", "", "", false, i
		byID[t.ID] = t
	}
	for i := range messages {
		m := &messages[i]
		switch t := byID[m.Turn]; {
		case t == nil:
		case m.ID == t.UserMessage:
			t.UserText = m.Text
			t.CodeType = t.CodeType || m.ContentType == store.CodeType
		case m.Role == store.Assistant && m.Visible:
			t.CodeType = t.CodeType || m.ContentType == store.CodeType
			if m.Text != "" {
				replies[t.Position] = append(replies[t.Position], m.Text)
			}
			if m.Summary != "" {
				t.Summary = m.Summary
			}
		}
	}
	for i := range turns {
		turns[i].AssistantText = strings.Join(replies[i], "\n\n")
		turns[i].Embeddable = (turns[i].UserText != "" || turns[i].Source.Chunked()) && turns[i].AssistantText != ""
	}
}
