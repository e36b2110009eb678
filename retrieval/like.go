package retrieval

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/google/uuid"

	"lens/internal/errs"
	"lens/retrieval/query"
	"lens/retrieval/rank"
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

// prepare completes a request and resolves its mode.
func (e *Engine) prepare(ctx context.Context, a *snapshot, r request) (request, searchPlan, error) {
	if r.asked.Like != "" {
		return e.prepareLike(ctx, a, r)
	}
	r, err := e.words.inLanguage(ctx, a, r)
	if err != nil {
		return r, searchPlan{}, err
	}
	by, err := e.plan(ctx, a, r)
	return r, by, err
}

// prepareLike makes a request for the turns most similar to the one whose id begins with r's prefix, which is left out:
// by its vector (Auto and Dense), by its salient terms (Keyword), or both. It calls no model. Where the turn has no
// vector, Auto and Hybrid fall back on the terms and say so.
func (e *Engine) prepareLike(ctx context.Context, a *snapshot, r request) (_ request, by searchPlan, err error) {
	normal, err := normalizePrefix(r.asked.Like)
	if err != nil {
		return r, by, err
	}
	if r.like, err = e.findTurn(ctx, normal); err != nil {
		return r, by, err
	}
	turns, err := e.source.Turns(ctx, []uuid.UUID{r.like})
	if err != nil {
		return r, by, err
	}
	if r.language, err = e.words.languageOf(ctx, a, turns[0].Ord); err != nil {
		return r, by, err
	}
	if by, err = e.planLike(ctx, a, r, &turns[0]); err != nil {
		return r, by, err
	}
	r.words, err = e.words.salientTerms(ctx, a, &turns[0])
	return r, by, err
}

// planLike resolves the mode by whether the turn has a vector.
func (e *Engine) planLike(ctx context.Context, a *snapshot, r request, t *store.Turn) (searchPlan, error) {
	if r.mode == query.Keyword {
		return searchPlan{mode: query.Keyword}, nil
	}
	if a.active.Vectors > 0 && r.isUnread(a.active.Model) {
		return searchPlan{mode: query.Keyword, unread: true}, nil
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
	case r.needsVector():
		return by, &errs.Error{
			Code: errs.Unavailable, Op: "retrieval: like", Message: "this turn has no vector",
			Hint: "run lens embed, or use another mode",
		}
	}
	return searchPlan{mode: query.Keyword, notice: "By words only: this turn has no vector."}, nil
}

// mostSimilar is how far from the archive's median to the nearest turn a similar one lies, at least. How near the
// nearest is differs between turns: among many about the same thing, each is near to half of the archive.
const mostSimilar = 2. / 3

// similar returns the nearest rows that are similar to the turn of a Like request, all where nothing tells: in a small
// archive, or where the query sets a least cosine itself. What is similar does not depend on the window or a filter.
func (f *searchResult) similar(near []rank.Candidate, n noise) []rank.Candidate {
	unknown := n.floor == -1 || math.IsInf(n.floor, 1)
	if f.like == uuid.Nil || unknown || f.asked.Filter.MinSimilarity != nil {
		return near
	}
	least := n.Median + mostSimilar*(n.nearest-n.Median)
	isFar := func(c rank.Candidate) bool { return c.Similarity < least }
	if i := slices.IndexFunc(near, isFar); i >= 0 {
		near = near[:i]
	}
	return near
}

// salientTerms returns the terms that set t apart: those with the highest tf·idf that other turns have too. The
// user's words count twice.
func (w *wordIndex) salientTerms(ctx context.Context, a *snapshot, t *store.Turn) ([]string, error) {
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
	lists, err := w.lists(ctx, a, words)
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
