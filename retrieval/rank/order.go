package rank

import (
	"cmp"
	"math"
	"slices"
)

// list holds the rows of a result: first those that are ordered by all features, then the rest, in order.
type list struct {
	first, rest []scoredRow
	fresh       int // rows without a term of the query
}

// scoredRow is a row with what is known of it.
type scoredRow struct {
	row      int32
	score    float64
	cosine   float64 // NaN: not known
	features Features
}

// list makes the list of the best rows by words and of the candidates, and learns their cosines.
func (s *scorer) list(byWords []rowScore, v *Vectors) list {
	l := list{first: make([]scoredRow, 0, 2*depth)}
	words := make([]int32, len(byWords))
	for i, b := range byWords {
		words[i] = b.row
	}
	first, rest := words[:min(depth, len(words))], words[min(depth, len(words)):]
	if v != nil {
		near := s.admitted(v, len(words))
		for _, row := range near {
			if !s.hasTerm(row) {
				l.fresh++
			}
		}
		s.lookUp(words, v)
		first = append(slices.Clip(first), near[:min(depth, len(near))]...)
		rest = append(slices.Clip(rest), near[min(depth, len(near)):]...)
	}
	listed := NewRows(len(s.columns.Length))
	for _, row := range first {
		if !listed.Has(row) {
			listed.Add(row)
			l.first = append(l.first, scoredRow{row: row, cosine: s.cosine(row), features: s.features(row)})
		}
	}
	for _, row := range rest {
		if !listed.Has(row) {
			listed.Add(row)
			l.rest = append(l.rest, scoredRow{row, s.score(row), s.cosine(row), s.features(row)})
		}
	}
	return l
}

// admitted returns the candidates, each once, that have a term, stand out from the archive or are looked up. It keeps
// the cosines of the others, too.
func (s *scorer) admitted(v *Vectors, words int) []int32 {
	rows := make([]int32, 0, len(v.Candidates))
	s.cosines = make(map[int32]float64, len(v.Candidates)+words)
	for _, c := range v.Candidates {
		if _, twice := s.cosines[c.Row]; twice {
			continue
		}
		s.cosines[c.Row] = c.Similarity
		stands := v.NoiseFloor == 0 || c.Similarity >= v.NoiseFloor
		if stands || s.hasTerm(c.Row) || s.exact != nil && s.exact[c.Row] {
			rows = append(rows, c.Row)
		}
	}
	return rows
}

func (s *scorer) hasTerm(row int32) bool { return s.turns != nil && s.turns[row] > 0 }

// lookUp learns the cosines of rows.
func (s *scorer) lookUp(rows []int32, v *Vectors) {
	missing := make([]int32, 0, len(rows))
	for _, row := range rows {
		if _, known := s.cosines[row]; !known {
			missing = append(missing, row)
			s.cosines[row] = math.NaN()
		}
	}
	if v.Similarity == nil || len(missing) == 0 {
		return
	}
	for i, cosine := range v.Similarity(missing) {
		s.cosines[missing[i]] = cosine
	}
}

// order completes the features of rows and returns them sorted by their scores.
func (s *scorer) order(rows []scoredRow, q Query) []scoredRow {
	near := s.nearRows(rows)
	cover(rows, near, q.Words)
	if q.Vectors != nil {
		s.compareVectors(rows, near, q.Vectors)
	}
	for i := range rows {
		rows[i].score = rows[i].features.Score(&s.params.Weights)
	}
	best := make([]*scoredRow, len(rows)) // a row is too large to be moved again and again
	for i := range rows {
		best[i] = &rows[i]
	}
	slices.SortFunc(best, func(a, b *scoredRow) int {
		if by := cmp.Compare(b.score, a.score); by != 0 {
			return by
		}
		return cmp.Or(cmp.Compare(b.cosine, a.cosine), cmp.Compare(a.row, b.row))
	})
	ordered := make([]scoredRow, len(rows))
	for i, r := range best {
		ordered[i] = *r
	}
	return ordered
}

// compareVectors finds how far the vectors of rows stand out and, where it counts, those of the turns before and after
// them.
func (s *scorer) compareVectors(rows []scoredRow, near nearRows, v *Vectors) {
	var around []float64
	if s.params.Weights.NeighborVector != 0 {
		around = s.cosinesOf(near.rows, v)
	}
	for i := range rows {
		f := &rows[i].features
		damp := damp(s.columns.Length[rows[i].row])
		f.Vector = damp * v.Spread.deviations(rows[i].cosine)
		if around != nil {
			at := near.places[i]
			f.NeighborVector = damp * v.Spread.deviations(greater(around[at.prev], around[at.next]))
		}
	}
}

// cosinesOf returns the cosines of rows, followed by NaN for no row.
func (s *scorer) cosinesOf(rows []int32, v *Vectors) []float64 {
	cosines := make([]float64, len(rows)+1)
	cosines[len(rows)] = math.NaN()
	var missing []int32
	var places []int
	for i, row := range rows {
		cosine, known := s.cosines[row]
		if cosines[i] = cosine; !known {
			cosines[i] = math.NaN()
			missing, places = append(missing, row), append(places, i)
		}
	}
	if v.Similarity != nil && len(missing) > 0 {
		for i, cosine := range v.Similarity(missing) {
			cosines[places[i]] = cosine
		}
	}
	return cosines
}

// greater returns the greater of two cosines, NaN if neither is known.
func greater(a, b float64) float64 {
	if math.IsNaN(a) || b > a {
		return b
	}
	return a
}

// cosine returns the cosine of a row, NaN where none is known.
func (s *scorer) cosine(row int32) float64 {
	if cosine, known := s.cosines[row]; known {
		return cosine
	}
	return math.NaN()
}

// hits returns the first K rows of a list that are near enough. No score is above the one before it.
func (s *scorer) hits(l list, q Query) []Hit {
	hits := make([]Hit, 0, min(q.K, len(l.first)+len(l.rest)))
	for _, rows := range [][]scoredRow{l.first, l.rest} {
		for _, r := range rows {
			if len(hits) == q.K {
				return hits
			}
			if v := q.Vectors; v != nil && v.MinSimilarity != 0 && !(r.cosine >= v.MinSimilarity) {
				continue
			}
			if n := len(hits); n > 0 {
				r.score = min(r.score, hits[n-1].Score)
			}
			hits = append(hits, Hit{Row: r.row, Score: r.score, Similarity: r.cosine, Features: r.features})
		}
	}
	return hits
}
