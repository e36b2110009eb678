package rank

import (
	"cmp"
	"math"
	"slices"
)

// scorer computes the score of a row from its parts.
type scorer struct {
	columns          *Columns
	params           Params
	turns            []float64
	neighbors        []float64 // nil: none
	conversations    []float64
	bestTurn         float64 // of turns + neighbors
	bestConversation float64 // of conversations
	dates            []DatedRows
	exact            []bool            // by row; nil: nothing is looked up
	perKeyword       float64           // factor of turns + neighbors in upperBound
	perConversation  float64           // factor of conversations in upperBound
	maxConversation  float64           // the most that conversations can add
	alpha            float64           // 0 until the cosines are known
	cosines          map[int32]float64 // of the union
	low, spread      float64           // the least cosine, and how far above it the greatest is
}

func newScorer(a *Columns, q Query, p Params) *scorer {
	s := &scorer{
		columns:          a,
		params:           p,
		turns:            q.Turns,
		neighbors:        q.Neighbors,
		conversations:    q.Conversations,
		bestTurn:         q.BestTurn,
		bestConversation: q.BestConversation,
		dates:            q.Dates,
	}
	if s.bestConversation == 0 {
		s.bestConversation = maxScore(q.Conversations)
	}
	switch {
	case s.bestTurn > 0:
	case s.neighbors == nil:
		s.bestTurn = maxScore(s.turns)
	default:
		s.bestTurn = maxSum(s.turns, s.neighbors)
	}
	if s.bestTurn > 0 {
		s.perKeyword = (1 + rounding) / s.bestTurn
	}
	if s.bestConversation > 0 {
		s.perConversation = (1 + rounding) * p.Delta / s.bestConversation
		s.maxConversation = s.perConversation * s.bestConversation
	}
	if len(q.Exact) > 0 {
		s.exact = make([]bool, len(a.Length))
		for _, row := range q.Exact {
			s.exact[row] = true
		}
	}
	return s
}

// rounding exceeds the relative rounding error of a sum of a few products.
const rounding = 1e-12

// upperBound bounds a row's score but for its date without a division, before vectors are weighed. Most rows of a
// search do not reach the list and need no exact score.
func (s *scorer) upperBound(row int32) float64 {
	if s.exact != nil && s.exact[row] {
		return math.Inf(1)
	}
	words := s.turns[row]
	if s.neighbors != nil {
		words += s.neighbors[row]
	}
	if s.perConversation == 0 {
		return s.perKeyword * words
	}
	return s.perKeyword*words + s.perConversation*s.conversations[s.columns.Conversation[row]]
}

// date returns the bonus of a row for its date.
func (s *scorer) date(row int32) float64 {
	i := s.datesEndingAfter(row)
	if i == len(s.dates) || row < s.dates[i].From {
		return 0
	}
	return s.params.Date * s.dates[i].Shares[row-s.dates[i].From]
}

// maxDate bounds the bonus of the rows [from, to).
func (s *scorer) maxDate(from, to int32) float64 {
	if i := s.datesEndingAfter(from); i == len(s.dates) || to <= s.dates[i].From {
		return 0
	}
	return (1 + rounding) * s.params.Date
}

// datesEndingAfter returns the first of dates that has row or a later one.
func (s *scorer) datesEndingAfter(row int32) int {
	i, _ := slices.BinarySearchFunc(s.dates, row, func(d DatedRows, row int32) int { return cmp.Compare(d.to()-1, row) })
	return i
}

// maxScore returns the greatest of scores, none of which is negative; 0 for none.
func maxScore(scores []float64) float64 {
	top := 0.0
	for _, score := range scores {
		if score > top { // slices.Max checks for NaN and takes twice as long
			top = score
		}
	}
	return top
}

// maxSum returns the greatest sum of a[i] and b[i]; a and b have one length.
func maxSum(a, b []float64) float64 {
	top := 0.0
	for i, x := range a {
		if sum := x + b[i]; sum > top {
			top = sum
		}
	}
	return top
}

// parts returns the summands of a row's score.
func (s *scorer) parts(row int32) Parts {
	words := 1 - s.alpha
	var parts Parts
	if s.alpha > 0 {
		parts.Vector = s.alpha * s.vector(row)
	}
	if s.bestTurn > 0 {
		parts.Keyword = words * s.turns[row] / s.bestTurn
		if s.neighbors != nil {
			parts.Neighbor = words * s.neighbors[row] / s.bestTurn
		}
	}
	if s.bestConversation > 0 {
		parts.Conversation = words * s.params.Delta * s.conversations[s.columns.Conversation[row]] / s.bestConversation
	}
	if len(s.dates) > 0 {
		parts.Date = s.date(row)
	}
	if s.exact != nil && s.exact[row] {
		parts.Exact = 1 + s.params.Delta // the maximum of all other parts together
		if len(s.dates) > 0 {
			parts.Exact += s.params.Date
		}
	}
	return parts
}

// vector is d(row), 0 to 1; 0 for a row outside the union or without a vector. When all cosines are equal it is 1.
func (s *scorer) vector(row int32) float64 {
	cosine, known := s.cosines[row]
	switch {
	case !known || math.IsNaN(cosine):
		return 0
	case s.spread == 0:
		return 1
	}
	d := (cosine - s.low) / s.spread
	return d * d * d
}

// weighVectors makes the cosines part of every score from now on.
func (s *scorer) weighVectors() {
	low, high := math.Inf(1), math.Inf(-1)
	for _, cosine := range s.cosines {
		if !math.IsNaN(cosine) {
			low, high = min(low, cosine), max(high, cosine)
		}
	}
	s.low, s.spread, s.alpha = low, high-low, s.params.Alpha
}
