package retrieval

import (
	"context"

	"github.com/google/uuid"

	"lens/retrieval/rank"
	"lens/store"
)

// matches hydrates the first hits.
func (e *Engine) matches(ctx context.Context, f *found) ([]Match, error) {
	listed := f.hits[:min(len(f.hits), f.snippets)]
	matches := make([]Match, 0, len(listed))
	if len(listed) == 0 {
		return matches, nil
	}
	ids := make([]uuid.UUID, len(listed))
	for i, h := range listed {
		ids[i] = f.ID[h.Row]
	}
	turns, err := e.source.Turns(ctx, ids)
	if err != nil {
		return nil, err
	}
	view := newSnippets(f.words)
	defer view.release()
	for i, h := range listed {
		matches = append(matches, f.match(h, &turns[i], view))
	}
	return matches, nil
}

func (f *found) match(h rank.Hit, t *store.Turn, view *snippets) Match {
	m := Match{
		TurnID: t.ID, Score: h.Score, UserMessage: t.UserMessage, AssistantMessage: present(t.Assistant), Conversation: t.Conversation,
		Similarity: known(h.Similarity), Title: t.Title, Time: f.timeOf(int(h.Row)), OnPath: t.OnPath,
		UserSnippet: view.of(t.UserText), SnippetIsSummary: t.Summary != "", Chunk: chunkOf(t),
	}
	if m.SnippetIsSummary {
		m.AssistantSnippet = view.of(t.Summary)
	} else {
		m.AssistantSnippet = view.of(t.AssistantText)
	}
	return m
}

// present returns a pointer to id, nil for none.
func present(id uuid.UUID) *uuid.UUID {
	if id == uuid.Nil {
		return nil
	}
	return &id
}
