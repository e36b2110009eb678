package retrieval

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"lens/retrieval/query"
	"lens/retrieval/rank"
	"lens/store"
)

// searchResult is a ranked search: rows of a snapshot, best first.
type searchResult struct {
	*snapshot
	request
	plan     searchPlan
	stems    stems        // of the words, in the languages of the archive
	scope    *store.Scope // the rows that pass what the stores know of the filter
	eligible rank.Rows    // those that pass all of it, whatever their time; nil: all rows
	narrowed bool         // eligible has less than scope, so that the stores must know it
	timeOnly bool         // nothing but the window, branches and texts restrict the search

	beforeTexts rank.Rows // eligible, whatever the texts
	notices     []string  // what the filter could not look at, and what the query names
	dates       *Dates    // that the query names; nil: none
	unread      string    // that the model does not read the language of the query, "" if it does
	held        string    // of a query in such a language, the words that turns have; "" if they have all, or none
	partial     bool      // texts that decide were not read

	hits             []rank.Hit
	worded           []bool         // of each hit: whether it has a word of the query
	wordedRows       rank.Rows      // with a word of the query
	found            *Words         // by which hits have them; nil: nothing was searched for by words
	weights          *rank.Features // by which the hits are ordered; nil: by nothing but a cosine or a time
	matching         int            // rows that could have been listed
	uncounted        bool           // a search for more hits may find that there are more
	faint            bool           // nothing matches the query: these are only the nearest vectors
	rowsWithAllTerms []int32        // rows with all words of the query, ascending
	occurring        []int32        // those that pass the filter, ascending; see findOccurrences
	covered          float64        // the greatest share of the query's idf that an eligible row holds; NaN: no words
	nearest          float64        // the best cosine of an eligible row; 0 without vectors
	took             time.Duration
}

// search ranks the eligible rows of r.
func (e *Engine) search(ctx context.Context, a *snapshot, r request) (*searchResult, error) {
	r, by, err := e.prepare(ctx, a, r)
	if err != nil {
		return nil, err
	}
	return e.searchWith(ctx, a, r, by)
}

func (e *Engine) searchWith(ctx context.Context, a *snapshot, r request, by searchPlan) (f *searchResult, err error) {
	started := time.Now()
	if f, err = e.newSearch(ctx, a, r, by); err != nil {
		return nil, err
	}
	switch {
	case r.byTime():
		f.listByTime()
	case by.mode == query.Dense:
		err = e.searchDense(ctx, f)
	default:
		err = e.searchRanked(ctx, f)
	}
	f.took = time.Since(started)
	return f, err
}

// newSearch returns a search that knows its eligible rows and nothing else yet.
func (e *Engine) newSearch(ctx context.Context, a *snapshot, r request, by searchPlan) (*searchResult, error) {
	f := &searchResult{snapshot: a, request: r, plan: by}
	var err error
	if f.stems, err = e.words.stems(ctx, a, r.words, slices.Concat(r.synonyms, []string{r.query})); err != nil {
		return nil, err
	}
	return f, e.filter.apply(ctx, f)
}

// listByTime lists all eligible rows, the newest first and the undated last. Nothing ranks them.
func (f *searchResult) listByTime() {
	rows := slices.Collect(f.eligibleInWindow)
	slices.Reverse(rows[:rowsBefore(rows, int32(f.Dated))])
	f.hits = make([]rank.Hit, len(rows))
	for i, row := range rows {
		f.hits[i] = rank.Hit{Row: row, Score: math.NaN(), Similarity: math.NaN()}
	}
	f.matching = len(rows)
}

// searchDense orders by cosine alone. It requests one more than top_k, to know whether there are more.
func (e *Engine) searchDense(ctx context.Context, f *searchResult) error {
	near, err := e.vectors.nearest(ctx, f, f.topK+1)
	if err != nil {
		return err
	}
	noise, err := e.vectors.noise(ctx, f)
	if err != nil {
		return err
	}
	f.faint = f.like == uuid.Nil && len(near) > 0 && near[0].Similarity < noise.floor
	near = f.similar(near, noise)
	if f.matching = len(near); f.matching > f.topK {
		f.matching = f.candidates()
	}
	for _, n := range near[:min(len(near), f.topK)] {
		f.hits = append(f.hits, rank.Hit{Row: n.Row, Score: n.Similarity, Similarity: n.Similarity})
	}
	f.nearest = best(near)
	return e.coverQuery(ctx, f)
}

// searchRanked orders by words and context, in hybrid mode also by cosines. Vectors are searched while words are
// scored.
func (e *Engine) searchRanked(ctx context.Context, f *searchResult) error {
	near := f.nearDates(time.Now())
	vectors := new(rank.Vectors)
	var vectorErr error
	var nearby sync.WaitGroup
	if f.plan.mode == query.Hybrid {
		nearby.Go(func() { vectors, vectorErr = e.vectors.search(ctx, f) })
	}
	s, release, err := e.words.score(ctx, f.snapshot, f.words, f.identifiers, f.stems)
	nearby.Wait()
	if err != nil {
		return err
	}
	defer release()
	if vectorErr != nil {
		return vectorErr
	}
	f.rowsWithAllTerms, f.nearest = s.rowsWithAllTerms, best(vectors.Candidates)
	f.findCovered(s.words, s.rowsWithAllTerms)
	if f.plan.unread {
		f.unread = f.sayUnread(s.words)
	}
	q := s.query(f.topK)
	q.Range, q.Eligible, q.Dates = f.window(), f.eligible, near
	var similarityErr error
	if f.plan.mode == query.Hybrid {
		q.Vectors = vectors
		vectors.Similarity = func(rows []int32) []float64 {
			cosines, err := e.vectors.similarities(ctx, f, rows)
			similarityErr = cmp.Or(similarityErr, err)
			return cosines
		}
	}
	p := weightsFor(f.query, f.language)
	f.weights = &p.Weights
	result := rank.Top(&f.columns, q, p)
	if len(result.Hits) == 0 && len(vectors.Candidates) > 0 {
		f.faint, vectors.NoiseFloor = true, -1
		result = rank.Top(&f.columns, q, p)
	}
	f.hits, f.matching, f.uncounted = result.Hits, result.Matching, result.More && !f.faint
	if f.plan.mode == query.Hybrid && !slices.ContainsFunc(s.words, func(w rank.Word) bool { return len(w.Rows) > 0 }) {
		if err := e.words.dropUnread(ctx, f); err != nil {
			return err
		}
	}
	f.findWords(s.worded, s.stems)
	return cmp.Or(similarityErr, e.findOccurrences(ctx, f, s.rowsWithAllTerms))
}

// findWords notes which hits have words of the query, and by which stems.
func (f *searchResult) findWords(worded rank.Rows, by stems) {
	if f.like != uuid.Nil { // its words are those of another turn
		return
	}
	f.found, f.worded, f.wordedRows = newWords(f.words, by), make([]bool, len(f.hits)), worded
	for i, h := range f.hits {
		f.worded[i] = worded.Has(h.Row)
	}
}

// best returns the cosine of the first of the nearest rows, 0 if there is none.
func best(near []rank.Candidate) float64 {
	if len(near) == 0 {
		return 0
	}
	return near[0].Similarity
}

// window returns the rows within the filter's times.
func (f *searchResult) window() *rank.RowRange {
	return &rank.RowRange{From: int32(f.scope.Lo), To: int32(f.scope.Hi)}
}

// isEligible reports whether a row passes the filter.
func (f *searchResult) isEligible(row int32) bool {
	return int(row) >= f.scope.Lo && int(row) < f.scope.Hi && (f.eligible == nil || f.eligible.Has(row))
}

// isItself reports whether row is the turn of a Like request.
func (f *searchResult) isItself(row int32) bool { return f.like != uuid.Nil && f.ID[row] == f.like }

// candidates counts the eligible rows.
func (f *searchResult) candidates() int {
	if f.eligible == nil {
		return f.scope.Hi - f.scope.Lo
	}
	return f.eligible.Count(*f.window())
}
