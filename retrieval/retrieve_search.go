package retrieval

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"

	"lens/retrieval/query"
	"lens/retrieval/rank"
	"lens/store"
)

// search ranks the eligible chunks that reach the threshold.
func (r *retrieveRequest) search(ctx context.Context) ([]rank.Hit, error) {
	var err error
	if r.catalog, err = r.part.Catalog(ctx); err != nil {
		return nil, err
	}
	switch r.plan.mode {
	case query.Keyword:
		return r.rankByWords(ctx, nil, rank.BM25())
	case query.Hybrid:
		candidates, err := r.nearest(ctx, rank.Depth(r.k))
		if err != nil {
			return nil, err
		}
		p := rank.BM25()
		p.Alpha = alphaOf(r.part.Generation().Model)
		return r.rankByWords(ctx, candidates, p)
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
// neighbors, no conversations, and words are scaled by their maximum), so a corpus of which only a part is loaded gives
// the same order.
func (r *retrieveRequest) rankByWords(
	ctx context.Context, candidates []rank.Candidate, p rank.Params,
) ([]rank.Hit, error) {
	words, err := r.bm25Scores(ctx)
	if err != nil {
		return nil, err
	}
	var failed error
	similarity := func(rows []int32) []float64 {
		ords := make([]store.Ord, len(rows))
		for i, row := range rows {
			ords[i] = r.catalog.Ord[row]
		}
		var cosines []float64
		if cosines, failed = r.part.Similarities(ctx, r.plan.vector, ords); failed != nil {
			return make([]float64, len(rows)) // the result is discarded
		}
		return cosines
	}
	query := rank.Query{
		Turns: words, Candidates: candidates, Similarity: similarity, MinSimilarity: r.threshold, K: r.k,
	}
	found := rank.Top(&rank.Columns{Length: r.catalog.Length}, query, p)
	return found.Hits, failed
}

// bm25Scores returns the BM25 of the eligible chunks, by row; 0 for all others.
func (r *retrieveRequest) bm25Scores(ctx context.Context) ([]float64, error) {
	facts := r.filter.Facts()
	found, err := r.part.Postings(ctx, slices.Concat(r.words, facts))
	if err != nil {
		return nil, err
	}
	statistics, err := r.part.Statistics(ctx, r.words)
	if err != nil {
		return nil, err
	}
	scope := r.catalog.Scope(r.filter, found[len(r.words):])
	lists := func(yield func(rank.PostingList) bool) {
		var list rank.PostingList
		for i := range r.words {
			list = r.eligiblePostings(scope, found[i], list)
			if !yield(list) {
				return
			}
		}
	}
	return rank.SubsetScores(r.catalog.Length, lists, rank.CorpusStats(*statistics), rank.BM25()), nil
}

// eligiblePostings returns the eligible rows of a term. It reuses the memory of spare.
func (r *retrieveRequest) eligiblePostings(
	scope *store.Scope, p store.Postings, spare rank.PostingList,
) rank.PostingList {
	rows, counts := slices.Grow(spare.Rows[:0], len(p.Ords)), slices.Grow(spare.Counts[:0], len(p.Ords))
	for j, ord := range p.Ords {
		if row, alive := r.catalog.Row(ord); alive && row >= scope.Lo && row < scope.Hi && scope.Contains(row) {
			rows, counts = append(rows, int32(row)), append(counts, p.Counts[j])
		}
	}
	return rank.PostingList{Rows: rows, Counts: counts}
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
	snippets := newSnippeter(r.words)
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
		revision = fmt.Sprintf("recipe-%d", g.Recipe)
	}
	return RetrievalModel{g.Model + "@" + revision, g.Dim}
}
