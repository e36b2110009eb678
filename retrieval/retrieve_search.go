package retrieval

import (
	"cmp"
	"context"
	"encoding/json"
	"math"
	"slices"
	"time"

	"lens/retrieval/query"
	"lens/retrieval/rank"
	"lens/store"
	"lens/store/terms"
)

// search ranks the eligible chunks that reach the threshold.
func (r *retrieveRequest) search(ctx context.Context) ([]rank.Hit, error) {
	var err error
	if r.catalog, err = r.part.Catalog(ctx); err != nil {
		return nil, err
	}
	if r.plan.mode != query.Dense {
		return r.rankByWords(ctx)
	}
	candidates, err := r.nearest(ctx, r.k)
	return rankDense(candidates, r.threshold), err
}

// nearest returns the eligible chunks that are nearest to the query, up to depth.
func (r *retrieveRequest) nearest(ctx context.Context, depth int) ([]rank.Candidate, error) {
	near, err := r.part.Nearest(ctx, r.plan.vector, r.filter, depth)
	if err != nil {
		return nil, err
	}
	candidates := make([]rank.Candidate, 0, len(near))
	for _, n := range near {
		if row, alive := r.catalog.Row(n.Ord); alive {
			candidates = append(candidates, rank.Candidate{Row: int32(row), Similarity: n.Similarity})
		}
	}
	return candidates, nil
}

// rankDense orders the candidates that reach a cosine by it, ties by row as package rank does: ordinals differ between
// places.
func rankDense(candidates []rank.Candidate, threshold float64) []rank.Hit {
	hits := make([]rank.Hit, 0, len(candidates))
	for _, c := range candidates {
		if threshold == 0 || c.Similarity >= threshold {
			hits = append(hits, rank.Hit{Row: c.Row, Score: c.Similarity, Similarity: c.Similarity})
		}
	}
	slices.SortFunc(hits, func(a, b rank.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Row, b.Row))
	})
	return hits
}

// rankByWords orders by words and, in hybrid mode, cosines. Unlike a Peek it looks at the eligible chunks only (no
// neighbors, no conversations, words are scaled by their maximum, and cosines are compared with theirs), so a corpus of
// which only a part is loaded gives the same order.
func (r *retrieveRequest) rankByWords(ctx context.Context) ([]rank.Hit, error) {
	facts := r.filter.Facts()
	found, err := r.part.Postings(ctx, slices.Concat(r.words, facts))
	if err != nil {
		return nil, err
	}
	statistics, err := r.part.Statistics(ctx, r.words)
	if err != nil {
		return nil, err
	}
	corpus := rank.CorpusStats(*statistics)
	scope := r.catalog.Scope(r.filter, found[len(r.words):])
	lists := make([]rank.PostingList, len(r.words))
	for i := range lists {
		lists[i] = r.eligiblePostings(scope, found[i])
	}
	p := weightsFor(r.query, terms.QueryLanguage(r.query))
	q := rank.Query{
		Turns: rank.SubsetScores(r.catalog.Length, lists, corpus, p), Words: rank.SubsetWords(lists, corpus), K: r.k,
	}
	var failed error
	if r.plan.mode == query.Hybrid {
		if q.Vectors, err = r.vectors(ctx, scope, &failed); err != nil {
			return nil, err
		}
	}
	return rank.Top(&rank.Columns{Length: r.catalog.Length}, q, p).Hits, failed
}

// vectors returns what hybrid mode needs to know of cosines. If looking one up fails, so does the search.
func (r *retrieveRequest) vectors(ctx context.Context, scope *store.Scope, failed *error) (*rank.Vectors, error) {
	near, err := r.nearest(ctx, rank.Depth(r.k))
	if err != nil {
		return nil, err
	}
	sample := sampleOf(r.catalog, sampleSize, func(row int) bool {
		return row >= scope.Lo && row < scope.Hi && scope.Contains(row)
	})
	cosines, err := r.part.Similarities(ctx, r.plan.vector, sample)
	if err != nil {
		return nil, err
	}
	return &rank.Vectors{
		Candidates: near, Spread: spreadOf(slices.DeleteFunc(cosines, math.IsNaN)), MinSimilarity: r.threshold,
		Similarity: func(rows []int32) []float64 {
			ords := make([]store.Ord, len(rows))
			for i, row := range rows {
				ords[i] = r.catalog.Ord[row]
			}
			cosines, err := r.part.Similarities(ctx, r.plan.vector, ords)
			if err != nil {
				*failed = err
				return make([]float64, len(rows)) // the result is discarded
			}
			return cosines
		},
	}, nil
}

// eligiblePostings returns the eligible rows of a term, ascending.
func (r *retrieveRequest) eligiblePostings(scope *store.Scope, p store.Postings) rank.PostingList {
	var eligible rank.PostingList
	all := postingListOf(r.catalog, p)
	for i, row := range all.Rows {
		if int(row) >= scope.Lo && int(row) < scope.Hi && scope.Contains(int(row)) {
			eligible.Rows, eligible.Counts = append(eligible.Rows, row), append(eligible.Counts, all.Counts[i])
		}
	}
	return eligible
}

// buildResults hydrates hits.
func (r *retrieveRequest) buildResults(ctx context.Context, hits []rank.Hit) ([]RetrievedChunk, error) {
	ords := make([]store.Ord, len(hits))
	for i, h := range hits {
		ords[i] = r.catalog.Ord[h.Row]
	}
	results := make([]RetrievedChunk, 0, len(hits))
	if len(hits) == 0 {
		return results, nil
	}
	turns, err := r.part.Records(ctx, ords)
	if err != nil {
		return nil, err
	}
	snippets := newSnippeter(r.words, nil)
	defer snippets.release()
	for i := range turns {
		t := &turns[i]
		shown := RetrievedChunk{ID: t.ID.String(), Snippet: snippets.snippet(t.AssistantText)}
		if cosine := hits[i].Similarity; !math.IsNaN(cosine) {
			cosine = min(max(cosine, 0), 1) // rounding may exceed 1
			shown.Score = &cosine
		}
		if r.plan.mode != query.Dense {
			shown.RankScore = &hits[i].Score
		}
		if t.Chunk != nil && t.Chunk.ID != "" {
			shown.ID = t.Chunk.ID
		}
		if shown.Meta, err = metaOf(t); err != nil {
			return nil, err
		}
		results = append(results, shown)
	}
	return results, nil
}

// metaOf returns a record's metadata as imported, or for a piece of a document what is known of its file.
func metaOf(t *store.Turn) (json.RawMessage, error) {
	switch {
	case t.Chunk != nil && len(t.Chunk.Meta) > 0:
		return json.RawMessage(t.Chunk.Meta), nil
	case t.Source == store.Documents && t.Chunk != nil:
		file := chunkOf(t)
		file.Kind = "" // they are all the same here
		return json.Marshal(file)
	}
	return json.RawMessage("{}"), nil
}

// filtersOf returns the filters as they were understood. Times are RFC 3339 and the first and the last one that pass:
// until is a microsecond before the exclusive end of the window.
func filtersOf(f query.Filter) map[string]string {
	filters := map[string]string{}
	for _, pair := range f.Meta.In {
		filters[pair.Key] = pair.Value
	}
	if !f.Since.IsZero() {
		filters["since"] = f.Since.UTC().Format(time.RFC3339Nano)
	}
	if !f.Until.IsZero() {
		filters["until"] = f.Until.UTC().Add(-time.Microsecond).Format(time.RFC3339Nano)
	}
	return filters
}

// model names the model of a generation with its revision or, where that is unknown, with what else tells vectors of
// the same model apart: the recipe of the texts.
func (of RevisionOf) model(g store.Generation) RetrievalModel {
	if g.Vectors == 0 {
		return RetrievalModel{}
	}
	revision := ""
	if of != nil {
		revision = of(g.Provider, g.Model)
	}
	if revision == "" {
		revision = "recipe-" + g.RecipeName()
	}
	return RetrievalModel{g.Model + "@" + revision, g.Dim}
}
