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
	perKeyword       float64           // factor of turns + aroundShare·neighbors in upperBound
	aroundShare      float64           // weight of neighbors against that of turns
	perConversation  float64           // factor of conversations in upperBound
	maxConversation  float64           // the most that conversations can add
	cosines          map[int32]float64 // of the rows to order; NaN: no vector
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
		s.perKeyword = (1 + rounding) * p.Weights.Own / s.bestTurn
		s.aroundShare = p.Weights.Around / p.Weights.Own
	}
	if s.bestConversation > 0 {
		s.perConversation = (1 + rounding) * p.Weights.Conversation / s.bestConversation
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

// upperBound bounds what score returns, but for the date, without a division. Most rows of a search do not reach the
// list and need no exact score.
func (s *scorer) upperBound(row int32) float64 {
	if s.exact != nil && s.exact[row] {
		return math.Inf(1)
	}
	words := s.turns[row]
	if s.neighbors != nil {
		words += s.aroundShare * s.neighbors[row]
	}
	if s.perConversation == 0 {
		return s.perKeyword * words
	}
	return s.perKeyword*words + s.perConversation*s.conversations[s.columns.Conversation[row]]
}

// date returns how near a row is to a date of the query, 0 to 1.
func (s *scorer) date(row int32) float64 {
	i := s.datesEndingAfter(row)
	if i == len(s.dates) || row < s.dates[i].From {
		return 0
	}
	return s.dates[i].Shares[row-s.dates[i].From]
}

// maxDate bounds the bonus of the rows [from, to).
func (s *scorer) maxDate(from, to int32) float64 {
	if i := s.datesEndingAfter(from); i == len(s.dates) || to <= s.dates[i].From {
		return 0
	}
	return (1 + rounding) * s.params.Weights.Date
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

// score returns a row's score by the features that need no look-up.
func (s *scorer) score(row int32) float64 {
	f := s.features(row)
	return f.Score(&s.params.Weights)
}

// features returns the features of a row that need no look-up.
func (s *scorer) features(row int32) (f Features) {
	if s.bestTurn > 0 {
		f.Own = s.turns[row] / s.bestTurn
		if s.neighbors != nil {
			f.Around = s.neighbors[row] / s.bestTurn
		}
	}
	if s.bestConversation > 0 {
		f.Conversation = s.conversations[s.columns.Conversation[row]] / s.bestConversation
	}
	if len(s.dates) > 0 {
		f.Date = s.date(row)
	}
	if s.exact != nil && s.exact[row] {
		f.Exact = 1
	}
	return f
}
