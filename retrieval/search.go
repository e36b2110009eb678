package retrieval

import (
	"cmp"
	"context"
	"math"
	"sync"
	"time"

	"github.com/google/uuid"

	"lens/retrieval/rank"
	"lens/store"
)

// found is a ranked search: rows of archive, best first.
type found struct {
	*archive
	request
	by      approach
	scope   *store.Scope // what the request's filter lets through
	passing rank.Rows    // likewise, but for its times; nil: all rows

	hits     []rank.Hit
	matching int     // rows that could have been listed
	faint    bool    // nothing bears on the query: these are only the nearest vectors
	whole    []int32 // rows with all words of the query, ascending
	took     time.Duration
}

// search ranks the rows that r's filter lets through.
func (e *Engine) search(ctx context.Context, a *archive, r request) (*found, error) {
	by, err := e.approach(ctx, a, r)
	if err != nil {
		return nil, err
	}
	return e.searchBy(ctx, a, r, by)
}

func (e *Engine) searchBy(ctx context.Context, a *archive, r request, by approach) (f *found, err error) {
	started := time.Now()
	if f, err = e.begin(ctx, a, r); err != nil {
		return nil, err
	}
	f.by = by
	if by.mode == Dense {
		err = e.searchDense(ctx, f)
	} else {
		err = e.searchRanked(ctx, f)
	}
	f.took = time.Since(started)
	return f, err
}

// begin returns a search of which nothing is known but what may be found.
func (e *Engine) begin(ctx context.Context, a *archive, r request) (*found, error) {
	f := &found{archive: a, request: r}
	var facts []store.Postings
	var err error
	if terms := r.filter.Facts(); terms != nil {
		if facts, err = e.source.Postings(ctx, terms); err != nil {
			return nil, err
		}
	}
	f.scope = a.Scope(r.filter, facts)
	f.passing = f.lettingThrough()
	return f, nil
}

// lettingThrough returns the rows that the filter lets through, whatever their time: of all where it looks at nothing else, and where it
// does, of the window. The turn whose like is sought is not among them.
func (f *found) lettingThrough() rank.Rows {
	everyPath := f.filter.AllBranches || f.turns == f.Len()
	switch {
	case f.scope.TimeOnly() && f.like == uuid.Nil && everyPath:
		return nil
	case f.scope.TimeOnly() && f.like == uuid.Nil:
		return f.onPath
	}
	rows := rank.NewRows(f.Len())
	for row := range f.scope.Rows() {
		if !f.isItself(int32(row)) {
			rows.Add(int32(row))
		}
	}
	return rows
}

// searchDense orders by cosine alone. One more than top_k is asked for, to know whether there are more.
func (e *Engine) searchDense(ctx context.Context, f *found) error {
	near, err := e.nearest(ctx, f, f.topK+1)
	if err != nil {
		return err
	}
	noise, err := e.noise(ctx, f)
	if err != nil {
		return err
	}
	f.faint = len(near) > 0 && near[0].Similarity < noise
	if f.matching = len(near); f.matching > f.topK {
		f.matching = f.candidates()
	}
	for _, n := range near[:min(len(near), f.topK)] {
		f.hits = append(f.hits, rank.Hit{Row: n.Row, Score: n.Similarity, Similarity: n.Similarity})
	}
	return nil
}

// searchRanked orders by keywords and context, in hybrid mode also by cosines. What is near is searched while keywords are scored.
func (e *Engine) searchRanked(ctx context.Context, f *found) error {
	var near []rank.Candidate
	var nearErr, noiseErr error
	noise := 0.0
	var nearby sync.WaitGroup
	if f.by.mode == Hybrid {
		nearby.Go(func() {
			near, nearErr = e.nearest(ctx, f, rank.Depth(f.topK))
			noise, noiseErr = e.noise(ctx, f)
		})
	}
	s, release, err := e.keywordScores(ctx, f.archive, f.words, f.look)
	nearby.Wait()
	if err != nil {
		return err
	}
	defer release()
	if err := cmp.Or(nearErr, noiseErr); err != nil {
		return err
	}
	f.whole = s.whole
	q := rank.Query{
		Turns: s.turns, Neighbors: s.around, Conversations: s.conversations, Exact: s.exact, K: f.topK,
	}
	q.Window, q.Eligible = f.window(), f.passing
	p := rank.Keyword()
	var similarityErr error
	if f.by.mode == Hybrid {
		p = rank.Hybrid(alphaOf(f.active.Model))
		q.Candidates, q.Noise = near, noise
		q.Similarity = func(rows []int32) []float64 {
			cosines, err := e.similarities(ctx, f, rows)
			similarityErr = err
			return cosines
		}
	}
	result := rank.Top(&f.columns, q, p)
	if len(result.Hits) == 0 && len(q.Candidates) > 0 {
		f.faint, q.Noise = true, -1
		result = rank.Top(&f.columns, q, p)
	}
	f.hits, f.matching = result.Hits, result.Matching
	return similarityErr
}

// nearest returns the k rows whose vectors are nearest to the query's, of those that pass.
func (e *Engine) nearest(ctx context.Context, f *found, k int) ([]rank.Candidate, error) {
	wanted := k
	if f.like != uuid.Nil {
		wanted++ // it is nearest to itself
	}
	near, err := e.source.Nearest(ctx, f.by.vector, f.filter, wanted)
	if err != nil {
		return nil, err
	}
	rows := make([]rank.Candidate, 0, len(near))
	for _, n := range near {
		if row, alive := f.Row(n.Ord); alive && !f.isItself(int32(row)) {
			rows = append(rows, rank.Candidate{Row: int32(row), Similarity: n.Similarity})
		}
	}
	return rows[:min(k, len(rows))], nil
}

// similarities returns the cosines of rows, NaN for those without a vector, and for all when the source fails.
func (e *Engine) similarities(ctx context.Context, f *found, rows []int32) ([]float64, error) {
	ords := make([]store.Ord, len(rows))
	for i, row := range rows {
		ords[i] = f.Ord[row]
	}
	cosines, err := e.source.Similarities(ctx, f.by.vector, ords)
	if err != nil {
		cosines = make([]float64, len(rows))
		for i := range cosines {
			cosines[i] = math.NaN()
		}
	}
	return cosines, err
}

// window returns the rows that the filter's times let through.
func (f *found) window() *rank.Window {
	return &rank.Window{From: int32(f.scope.Lo), To: int32(f.scope.Hi)}
}

// passes reports whether the filter lets a row through.
func (f *found) passes(row int32) bool {
	return int(row) >= f.scope.Lo && int(row) < f.scope.Hi && (f.passing == nil || f.passing.Has(row))
}

// isItself reports whether row is the turn whose like is sought.
func (f *found) isItself(row int32) bool { return f.like != uuid.Nil && f.ID[row] == f.like }

// candidates counts the rows that pass.
func (f *found) candidates() int {
	if f.passing == nil {
		return f.scope.Hi - f.scope.Lo
	}
	return f.passing.Count(*f.window())
}
