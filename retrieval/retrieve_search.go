package retrieval

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"lens/retrieval/query"
	"lens/retrieval/rank"
	"lens/store"
)

// search ranks the eligible chunks.
func (r *retrieveRequest) search(ctx context.Context) ([]rank.Hit, error) {
	var err error
	if r.catalog, err = r.part.Catalog(ctx); err != nil {
		return nil, err
	}
	depth := r.k
	if r.mode == query.Hybrid {
		depth = rank.Depth(r.k)
	}
	near, err := r.part.Nearest(ctx, r.vector, r.filter, depth)
	if err != nil {
		return nil, err
	}
	candidates := make([]rank.Candidate, 0, len(near))
	for _, n := range near {
		if row, alive := r.catalog.Row(n.Ord); alive {
			candidates = append(candidates, rank.Candidate{Row: int32(row), Similarity: n.Similarity})
		}
	}
	if r.mode == query.Dense {
		return rankDense(candidates), nil
	}
	return r.rankHybrid(ctx, candidates)
}

// rankDense orders candidates by cosine, ties by row as package rank does: ordinals differ between places.
func rankDense(candidates []rank.Candidate) []rank.Hit {
	hits := make([]rank.Hit, len(candidates))
	for i, c := range candidates {
		hits[i] = rank.Hit{Row: c.Row, Score: c.Similarity, Similarity: c.Similarity}
	}
	slices.SortFunc(hits, func(a, b rank.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Row, b.Row))
	})
	return hits
}

// rankHybrid orders by words and cosines. Unlike a Peek it looks at the eligible chunks only (no neighbors, no
// conversations, and words are scaled by their maximum), so a corpus of which only a part is loaded gives the same
// order.
func (r *retrieveRequest) rankHybrid(ctx context.Context, candidates []rank.Candidate) ([]rank.Hit, error) {
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
		if cosines, failed = r.part.Similarities(ctx, r.vector, ords); failed != nil {
			return make([]float64, len(rows)) // the result is discarded
		}
		return cosines
	}
	p := rank.BM25()
	p.Alpha = alphaOf(r.part.Generation().Model)
	query := rank.Query{Turns: words, Candidates: candidates, Similarity: similarity, K: r.k}
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

// buildResults hydrates the hits that reach the threshold.
func (r *retrieveRequest) buildResults(ctx context.Context, hits []rank.Hit) ([]RetrievedChunk, error) {
	var ords []store.Ord
	for _, h := range hits {
		if r.threshold == 0 || h.Score >= r.threshold {
			ords = append(ords, r.catalog.Ord[h.Row])
		}
	}
	results := make([]RetrievedChunk, 0, len(ords))
	if len(ords) == 0 {
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
		shown := RetrievedChunk{ID: t.ID.String(), Score: hits[i].Score, Snippet: snippets.snippet(t.AssistantText)}
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
		return json.Marshal(chunkOf(t))
	}
	return json.RawMessage("{}"), nil
}

// filtersOf returns the filters as the client sent them.
func filtersOf(f query.Filter) map[string]string {
	filters := map[string]string{}
	for _, pair := range f.Meta.In {
		filters[pair.Key] = pair.Value
	}
	for name, t := range map[string]time.Time{"since": f.Since, "until": f.Until} {
		if !t.IsZero() {
			filters[name] = t.UTC().Format(time.RFC3339Nano)
		}
	}
	return filters
}
