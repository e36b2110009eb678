package retrieval

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/google/uuid"

	"lens/internal/errs"
	"lens/retrieval/query"
	"lens/store"
	"lens/store/terms"
)

// How many terms of a turn are looked up to find its salient ones, and how many of these represent it.
const (
	maxTermsConsidered = 64
	maxSalientTerms    = 12
)

// vectorSource is an optional interface of a Source: it returns a turn's vector, of unit length, nil when the
// active generation has none. Without it, Like goes by words.
type vectorSource interface {
	Vector(ctx context.Context, ord store.Ord) ([]float32, error)
}

// peekLike finds the turns most similar to the one whose id begins with q.Like, which is left out: by its vector (Auto
// and Dense), by its salient terms (Keyword), or both. It calls no model. Where the turn has no vector, Auto and
// Hybrid fall back on the terms and say so.
func (e *Engine) peekLike(ctx context.Context, q query.Query, started time.Time) (*Peek, error) {
	r, err := newRequest(q)
	if err != nil {
		return nil, err
	}
	normal, err := normalizePrefix(q.Like)
	if err != nil {
		return nil, err
	}
	var p *Peek
	err = e.readConsistently(ctx, func(a *snapshot) error {
		id, err := e.findTurn(ctx, normal)
		if err != nil {
			return err
		}
		f, err := e.searchLike(ctx, a, r, id)
		if err != nil {
			return err
		}
		p, err = e.buildPeek(ctx, f, dateRangeOf(f.matchTimes()))
		return err
	})
	if err != nil {
		return nil, err
	}
	p.Timing.Total = milliseconds(time.Since(started))
	return p, nil
}

func (e *Engine) searchLike(ctx context.Context, a *snapshot, r request, id uuid.UUID) (*searchResult, error) {
	turns, err := e.source.Turns(ctx, []uuid.UUID{id})
	if err != nil {
		return nil, err
	}
	t := &turns[0]
	r.like = id
	by, err := e.planLike(ctx, a, r, t)
	if err != nil {
		return nil, err
	}
	if r.words, err = e.salientTerms(ctx, a, t); err != nil {
		return nil, err
	}
	return e.searchWith(ctx, a, r, by)
}

// planLike resolves the mode by whether the turn has a vector.
func (e *Engine) planLike(ctx context.Context, a *snapshot, r request, t *store.Turn) (searchPlan, error) {
	if r.mode == query.Keyword {
		return searchPlan{mode: query.Keyword}, nil
	}
	by := searchPlan{mode: query.Dense}
	if r.mode == query.Hybrid {
		by.mode = query.Hybrid
	}
	var err error
	source, can := e.source.(vectorSource)
	if can && a.active.Vectors > 0 {
		by.vector, err = source.Vector(ctx, t.Ord)
	}
	switch {
	case err != nil || by.vector != nil:
		return by, err
	case r.mode == query.Dense:
		return by, &errs.Error{
			Code: errs.Unavailable, Op: "retrieval: like", Message: "this turn has no vector",
			Hint: "run lens embed, or use another mode",
		}
	}
	return searchPlan{mode: query.Keyword, notice: "By words only: this turn has no vector."}, nil
}

// salientTerms returns the terms that set t apart: those with the highest tf·idf that other turns have too. The
// user's words count twice.
func (e *Engine) salientTerms(ctx context.Context, a *snapshot, t *store.Turn) ([]string, error) {
	reply := cmp.Or(t.Summary, t.AssistantText)
	telling := new(terms.Analyzer).Document(t.UserText, t.UserText, reply)
	slices.SortFunc(telling, func(x, y store.TermCount) int {
		return cmp.Or(cmp.Compare(y.Count, x.Count), cmp.Compare(x.Term, y.Term))
	})
	telling = telling[:min(len(telling), maxTermsConsidered)]
	words := make([]string, len(telling))
	for i, c := range telling {
		words[i] = c.Term
	}
	lists, err := e.postingLists(ctx, a, words)
	if err != nil {
		return nil, err
	}
	var shared []string
	weight := make(map[string]float64, len(words))
	for i, word := range words {
		if df := len(lists[i].Rows); df > 1 {
			shared = append(shared, word)
			weight[word] = float64(telling[i].Count) * math.Log(float64(a.Len()+1)/float64(df))
		}
	}
	slices.SortStableFunc(shared, func(x, y string) int { return cmp.Compare(weight[y], weight[x]) })
	return shared[:min(len(shared), maxSalientTerms)], nil
}
