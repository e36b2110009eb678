package retrieval

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/google/uuid"

	"lens/retrieval/query"
	"lens/retrieval/rank"
	"lens/store/terms"
)

// Candidate is a turn or chunk that may answer a query, with its scores.
type Candidate struct {
	TurnID  uuid.UUID
	Keyword float64    // BM25 of its own text (k1 1.2, b 0.75), from 0
	Cosine  *float64   // nil without a vector
	Time    *time.Time // UTC; nil when undated
}

// shortlistSize is how many candidates words select.
const shortlistSize = 200

// Shortlist returns the 200 turns and chunks of active paths that score highest by the words of text and synonyms,
// best first, with both scores. It is empty where nothing has one of the words. Errors: see Peek in dense mode.
func (e *Engine) Shortlist(ctx context.Context, text string, synonyms []string) ([]Candidate, error) {
	r, err := newRequest(query.Query{Text: text, TopK: new(shortlistSize), Mode: query.Dense})
	if err != nil {
		return nil, err
	}
	r.synonyms = synonyms
	for _, synonym := range synonyms {
		r.words = append(r.words, terms.Query(synonym)...)
	}
	slices.Sort(r.words)
	r.words = slices.Compact(r.words)
	var all []Candidate
	err = e.readConsistently(ctx, func(a *snapshot) error {
		all, err = e.shortlist(ctx, a, r)
		return err
	})
	return all, err
}

func (e *Engine) shortlist(ctx context.Context, a *snapshot, r request) ([]Candidate, error) {
	by, err := e.plan(ctx, a, r)
	if err != nil {
		return nil, err
	}
	f, err := e.newSearch(ctx, a, r, by)
	if err != nil {
		return nil, err
	}
	lists, err := e.words.wordLists(ctx, a, r.words, f.stems)
	if err != nil {
		return nil, err
	}
	words, _ := rank.TurnScores(&a.columns, lists.scored, rank.BM25())
	query := rank.Query{Turns: words, K: shortlistSize, Range: f.window(), Eligible: f.eligible}
	best := rank.Top(&a.columns, query, rank.BM25()).Hits
	rows := make([]int32, len(best))
	for i, h := range best {
		rows[i] = h.Row
	}
	cosines, err := e.vectors.similarities(ctx, f, rows)
	if err != nil {
		return nil, err
	}
	all := make([]Candidate, len(rows))
	for i, row := range rows {
		all[i] = Candidate{TurnID: a.ID[row], Keyword: words[row], Time: a.timeOf(int(row))}
		if !math.IsNaN(cosines[i]) {
			all[i].Cosine = optional(cosines[i])
		}
	}
	return all, nil
}

// Hydrate returns the turns and chunks of ids, in their order. Errors: not_found when one of them does not exist.
func (e *Engine) Hydrate(ctx context.Context, ids []uuid.UUID) ([]Turn, error) {
	var all []Turn
	err := e.readConsistently(ctx, func(a *snapshot) error {
		turns, err := e.source.Turns(ctx, ids)
		all = make([]Turn, 0, len(turns))
		for i := range turns {
			all = append(all, *a.hydrate(&turns[i]))
		}
		return err
	})
	return all, err
}
