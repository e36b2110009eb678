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

	Candidates []Candidate // the Depth(K) nearest eligible vectors; used in hybrid mode only
	NoiseFloor float64     // candidates below this cosine need a term of the query or an exact match; 0: no floor

	// MinSimilarity is the least cosine of a hit, in hybrid mode; 0: none, and a hit needs no vector. Rows below it
	// still scale the others, so it changes no score. Result.Matching counts them.
	MinSimilarity float64

	// Similarity returns the cosines of rows not in Candidates, NaN without a vector; nil: none.
	Similarity func(rows []int32) []float64

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

// Candidate is a row found by its vector.
type Candidate struct {
	Row        int32
	Similarity float64 // cosine
}

// Parts are the weighted summands of a score.
type Parts struct{ Exact, Vector, Keyword, Neighbor, Conversation, Date float64 }

func (p Parts) sum() float64 {
	return p.Exact + p.Vector + p.Keyword + p.Neighbor + p.Conversation + p.Date
}

// Hit is a ranked row.
type Hit struct {
	Row        int32
	Score      float64
	Similarity float64 // cosine, NaN when unknown
	Parts      Parts
}

// Result lists the best K rows by descending score, ties by ascending row. Matching counts all rows that could be
// listed with a greater K: those with a term of the query, and the candidates.
type Result struct {
	Hits     []Hit
	Matching int
}

// Depth is how many candidates of either kind a hybrid query for k hits considers.
func Depth(k int) int { return max(200, k) }

// Top ranks: in hybrid mode (p.Alpha > 0) over the union of Candidates and the best keyword rows, else over the
// keyword rows.
//
// A keyword row holds at least one term of the query. A turn without one, next to a turn with one, could be
// admitted by its context. On LoCoMo that made no difference (R@10 .800 with all, .800 with none), so they stay
// out: every keyword hit shows why it is there.
func Top(a *Columns, q Query, p Params) Result {
	s := newScorer(a, q, p)
	if p.Alpha <= 0 {
		best, eligible := s.keywordRows(q, q.K)
		return Result{s.hits(best.sorted()), eligible}
	}
	best, eligible := s.keywordRows(q, Depth(q.K))
	union, fresh := s.union(best.best(), q)
	s.weighVectors()
	top := selection{k: q.K}
	for _, row := range union {
		if q.MinSimilarity == 0 || s.cosines[row] >= q.MinSimilarity { // false for NaN
			top.add(row, s.parts(row).sum())
		}
	}
	return Result{s.hits(top.sorted()), eligible + fresh}
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
			score += s.neighbors[first+int32(i)]
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
		reached |= (below - math.Float64bits(own+around[i])) >> 63 << i
	}
	return reached << (from % 64)
}

// offer adds to top what may belong there of the rows of one word, the first of which is first. None has a greater
// bonus for its date.
func (s *scorer) offer(top *selection, first int32, held uint64, bonus float64) {
	for ; held != 0; held &= held - 1 {
		row := first + int32(bits.TrailingZeros64(held))
		if !top.full || s.upperBound(row)+bonus >= top.threshold.score {
			top.add(row, s.parts(row).sum())
		}
	}
}

// union returns the rows of best and of the candidates, and collects all their cosines. fresh counts the candidates
// without a term.
func (s *scorer) union(best []rowScore, q Query) (union []int32, fresh int) {
	s.cosines = make(map[int32]float64, len(q.Candidates)+len(best))
	for _, c := range q.Candidates {
		if _, twice := s.cosines[c.Row]; twice {
			continue
		}
		s.cosines[c.Row] = c.Similarity // also of rejected ones: they scale the others
		worded := q.Turns != nil && q.Turns[c.Row] > 0
		if !worded && q.NoiseFloor != 0 && c.Similarity < q.NoiseFloor && (s.exact == nil || !s.exact[c.Row]) {
			continue
		}
		union = append(union, c.Row)
		if !worded {
			fresh++
		}
	}
	known := len(union)
	for _, b := range best {
		if _, there := s.cosines[b.row]; !there {
			union = append(union, b.row)
		}
	}
	if missing := union[known:]; q.Similarity != nil && len(missing) > 0 {
		for i, cosine := range q.Similarity(missing) {
			s.cosines[missing[i]] = cosine
		}
	}
	return union, fresh
}

func (s *scorer) hits(best []rowScore) []Hit {
	hits := make([]Hit, len(best))
	for i, b := range best {
		cosine, known := s.cosines[b.row]
		if !known {
			cosine = math.NaN()
		}
		hits[i] = Hit{Row: b.row, Score: b.score, Similarity: cosine, Parts: s.parts(b.row)}
	}
	return hits
}
