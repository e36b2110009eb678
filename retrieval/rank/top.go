package rank

import (
	"math"
	"math/bits"
)

// Query is the input of Top.
type Query struct {
	Turns         []float64 // the result own of TurnScores; nil: none
	Neighbors     []float64 // the result around of TurnScores; nil: not part of the score
	Conversations []float64 // of ConversationScores; nil: not part of the score

	// The greatest of Turns plus Neighbors, and of Conversations; 0: Top looks for them.
	BestTurn, BestConversation float64

	Worded Rows // the rows with a score in Turns; nil: Top looks for them

	// Dates are the rows near the dates that the query names, ascending and disjoint. They stand higher.
	Dates []DatedRows

	Exact []int32 // rows that hold a looked-up identifier whole; any order, repeats allowed

	Words   []Word   // of which the rows to order hold a share; nil: not part of the score
	Vectors *Vectors // nil: words alone rank

	Range    *RowRange // the rows to consider; nil: all
	Eligible Rows      // the rows that pass the filter within the window; nil: all
	K        int       // how many hits
}

// RowRange is the half-open range [From, To) of rows.
type RowRange struct{ From, To int32 }

// DatedRows are the consecutive rows from From on, each with its share of the bonus for dates, 0 to 1.
type DatedRows struct {
	From   int32
	Shares []float64
}

// to returns the row after the last.
func (d DatedRows) to() int32 { return d.From + int32(len(d.Shares)) }

// Vectors are what a query by meaning, too, knows of cosines.
type Vectors struct {
	Candidates []Candidate // the Depth(K) nearest eligible vectors, the nearest first
	Spread     Spread      // of the archive's cosines
	NoiseFloor float64     // candidates below this cosine need a term of the query or an exact match; 0: no floor

	// MinSimilarity is the least cosine of a hit; 0: none, and a hit needs no vector. It changes no score.
	// Result.Matching counts the rows below it.
	MinSimilarity float64

	// Similarity returns the cosines of rows not in Candidates, NaN without a vector; nil: none.
	Similarity func(rows []int32) []float64
}

// Candidate is a row found by its vector.
type Candidate struct {
	Row        int32
	Similarity float64 // cosine
}

// Hit is a ranked row.
type Hit struct {
	Row        int32
	Score      float64
	Similarity float64 // cosine, NaN when unknown
	Features   Features
}

// Result lists the best K rows by descending score, ties by ascending row. Matching counts all rows that could be
// listed: those with a term of the query, and the candidates. With More set, vectors beyond the candidates may stand
// out, too, and a greater K may count more.
type Result struct {
	Hits     []Hit
	Matching int
	More     bool
}

// depth is how many rows, the best by words and the nearest, each, are ordered by all features. It does not depend on
// K, so that a short list begins as a long one does.
const depth = 100

// Depth is how many of the nearest vectors a query for k hits considers.
func Depth(k int) int { return max(depth, k) }

// isCut reports whether all candidates of a query for k hits stand out, so that others may.
func (v *Vectors) isCut(k int) bool {
	if v == nil || len(v.Candidates) < Depth(k) {
		return false
	}
	last := v.Candidates[len(v.Candidates)-1].Similarity
	return last >= max(v.NoiseFloor, v.MinSimilarity)
}

// Top ranks the rows with a term of the query and, with vectors, the candidates.
//
// It goes in two steps. The features that need no look-up rank all rows. The first 100 and the 100 nearest are then
// ordered by all features; the others follow them as they are, and what is only near comes last. No score is above the
// one before it.
//
// A keyword row holds at least one term of the query. A turn without one, next to a turn with one, could be
// admitted by its context. On LoCoMo that made no difference (R@10 .800 with all, .800 with none), so they stay
// out: every keyword hit shows why it is there.
func Top(a *Columns, q Query, p Params) Result {
	s := newScorer(a, q, p)
	best, eligible := s.keywordRows(q, Depth(q.K))
	l := s.list(best.sorted(), q.Vectors)
	l.first = s.order(l.first, q)
	return Result{s.hits(l, q), eligible + l.fresh, q.Vectors.isCut(q.K)}
}

// keywordRows selects the best k of the eligible rows with a term of the query, by their scores so far, and counts
// them all.
func (s *scorer) keywordRows(q Query, k int) (top *selection, eligible int) {
	top = &selection{k: k}
	withTerm := s.withTerm
	if q.Worded != nil {
		withTerm = q.Worded.within
	}
	w := RowRange{0, int32(len(q.Turns))}
	if q.Range != nil {
		w = RowRange{max(q.Range.From, 0), min(q.Range.To, w.To)}
	}
	for from := w.From; from < w.To; {
		to, bonus := min(from/64*64+64, w.To), 0.0
		first := from / 64 * 64
		held := withTerm(from, to)
		if q.Eligible != nil {
			held &= q.Eligible[from/64]
		}
		if held == 0 {
			from = to
			continue
		}
		eligible += bits.OnesCount64(held)
		if len(s.dates) > 0 {
			bonus = s.maxDate(from, to)
		}
		if least := s.minKeywordScore(top, bonus); least > 0 {
			if bits.OnesCount64(held) > fewRows {
				held &= s.atLeast(from, to, least)
			} else {
				held = s.thoseAtLeast(first, held, least)
			}
		}
		s.offer(top, first, held, bonus)
		from = to
	}
	return top, eligible
}

// withTerm returns the bits of those of [from, to), rows of one word, that have a term of the query.
func (s *scorer) withTerm(from, to int32) (held uint64) {
	for i, score := range s.turns[from:to] {
		held |= -math.Float64bits(score) >> 63 << i // no score is below 0, and only 0 has no bits
	}
	return held << (from % 64)
}

// minKeywordScore returns the least turn score with which a row may still enter top, even if its conversation is
// the best and it gets all of a bonus: a bound like upperBound that looks up nothing. 0 means unknown.
func (s *scorer) minKeywordScore(top *selection, bonus float64) float64 {
	if !top.full || s.exact != nil {
		return 0
	}
	return ((1-rounding)*top.threshold.score - s.maxConversation - bonus) / s.perKeyword
}

// fewRows is how many rows of a word are looked at one by one: the scores of the others need not be read.
const fewRows = 12

// thoseAtLeast returns the bits of those held rows of one word, the first of which is first, whose turn score is least
// or more.
func (s *scorer) thoseAtLeast(first int32, held uint64, least float64) (reached uint64) {
	for ; held != 0; held &= held - 1 {
		i := bits.TrailingZeros64(held)
		score := s.turns[first+int32(i)]
		if s.neighbors != nil {
			score += s.aroundShare * s.neighbors[first+int32(i)]
		}
		if score >= least {
			reached |= 1 << i
		}
	}
	return reached
}

// atLeast returns the bits of those of [from, to), rows of one word, whose turn score is least or more; least is
// above 0. Non-negative floats are ordered as their bits are, and comparing those needs no branch.
func (s *scorer) atLeast(from, to int32, least float64) (reached uint64) {
	below := math.Float64bits(least) - 1
	turns := s.turns[from:to]
	if s.neighbors == nil {
		for i, own := range turns {
			reached |= (below - math.Float64bits(own)) >> 63 << i
		}
		return reached << (from % 64)
	}
	around := s.neighbors[from:to]
	for i, own := range turns {
		reached |= (below - math.Float64bits(own+s.aroundShare*around[i])) >> 63 << i
	}
	return reached << (from % 64)
}

// offer adds to top what may belong there of the rows of one word, the first of which is first. None has a greater
// bonus for its date.
func (s *scorer) offer(top *selection, first int32, held uint64, bonus float64) {
	for ; held != 0; held &= held - 1 {
		row := first + int32(bits.TrailingZeros64(held))
		if !top.full || s.upperBound(row)+bonus >= top.threshold.score {
			top.add(row, s.score(row))
		}
	}
}
