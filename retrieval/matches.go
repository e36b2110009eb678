package retrieval

import (
	"context"

	"github.com/google/uuid"

	"lens/retrieval/rank"
	"lens/store"
)

// matches hydrates the first hits.
func (e *Engine) matches(ctx context.Context, f *searchResult) ([]Match, error) {
	hits := f.hits[:min(len(f.hits), f.snippets)]
	matches, err := e.hydrate(ctx, f.snapshot, hits, f.words, f.stems)
	for i := range matches {
		matches[i].Worded = f.worded != nil && f.worded[i]
	}
	if err == nil && f.asked.Explain && f.weights != nil {
		for i := range matches {
			matches[i].Features = featuresOf(&hits[i], f.weights)
		}
	}
	return matches, err
}

// featuresOf returns the features of a hit that weigh something.
func featuresOf(h *rank.Hit, weights *rank.Features) Features {
	all := make(Features, 0, 9)
	for name, weight := range weights.All() {
		if weight != 0 {
			all = append(all, Feature{Name: name, Weight: weight})
		}
	}
	i := 0
	for name, value := range h.Features.All() { // in the same order
		if i < len(all) && all[i].Name == name {
			all[i].Value = value
			i++
		}
	}
	return all
}

// hydrate reads the turns of hits. Snippets begin near words, where a text has them.
func (e *Engine) hydrate(ctx context.Context, a *snapshot, hits []rank.Hit, words []string, by stems) ([]Match, error) {
	matches := make([]Match, 0, len(hits))
	if len(hits) == 0 {
		return matches, nil
	}
	turns, embedded, err := e.shown(ctx, a, hits)
	if err != nil {
		return nil, err
	}
	snippets := newSnippeter(words, by)
	defer snippets.release()
	for i, h := range hits {
		matches = append(matches, a.match(h, &turns[i], &embedded[i], snippets))
	}
	return matches, nil
}

// shown reads the turns of hits, and what their vectors were made of where that may differ from the turns.
func (e *Engine) shown(ctx context.Context, a *snapshot, hits []rank.Hit) ([]store.Turn, []store.Embedded, error) {
	if source, ok := e.source.(store.ShownReader); ok {
		ords := make([]store.Ord, len(hits))
		for i, h := range hits {
			ords[i] = a.Ord[h.Row]
		}
		return source.Shown(ctx, ords)
	}
	ids := make([]uuid.UUID, len(hits))
	for i, h := range hits {
		ids[i] = a.ID[h.Row]
	}
	turns, err := e.source.Turns(ctx, ids)
	if err != nil || a.active.ID == 0 {
		return turns, make([]store.Embedded, len(ids)), err
	}
	embedded, err := e.source.Embedded(ctx, ids)
	return turns, embedded, err
}

func (a *snapshot) match(h rank.Hit, t *store.Turn, embedded *store.Embedded, snippets *snippeter) Match {
	reply, isSummary := shownReply(t, embedded)
	return Match{
		TurnID: t.ID, Score: optional(h.Score), UserMessage: t.UserMessage, AssistantMessage: optionalID(t.Assistant),
		Conversation: t.Conversation,
		Similarity:   optional(h.Similarity), Title: t.Title, Time: a.timeOf(int(h.Row)), OnPath: t.OnPath,
		UserSnippet: snippets.snippet(t.UserText), AssistantSnippet: snippets.snippet(reply), SnippetIsSummary: isSummary,
		Chunk: chunkOf(t), Source: string(t.Source.Service()),
	}
}

// shownReply returns the text of the reply's snippet: what the vector was made of, where that is known and has some of
// the reply, else the summary or the reply.
func shownReply(t *store.Turn, embedded *store.Embedded) (reply string, isSummary bool) {
	if reply, ok := t.EmbeddedReply(embedded.Text); ok {
		return reply, embedded.UsedSummary
	}
	if t.Summary != "" {
		return t.Summary, true
	}
	return t.AssistantText, false
}

// optionalID returns a pointer to id, nil for uuid.Nil.
func optionalID(id uuid.UUID) *uuid.UUID {
	if id == uuid.Nil {
		return nil
	}
	return &id
}
