package rank_test

import (
	"math/rand/v2"
	"testing"

	"lens/retrieval/rank"
)

// large is an archive of n turns in conversations of eight, and the lists of a query of one rare and three frequent terms.
func large(n int) (*rank.Columns, []rank.PostingList) {
	r := rand.New(rand.NewPCG(1, 2))
	a := &rank.Columns{
		Length: make([]int32, n), Conversation: make([]int32, n), Conversations: (n + 7) / 8, Prev: make([]int32, n), Next: make([]int32, n),
	}
	for row := range int32(n) {
		a.Length[row] = 20 + r.Int32N(400)
		a.TotalLength += int64(a.Length[row])
		a.Conversation[row] = row / 8
		a.Prev[row], a.Next[row] = row-1, row+1
		if row%8 == 0 {
			a.Prev[row] = -1
		}
		if row%8 == 7 || row == int32(n)-1 {
			a.Next[row] = -1
		}
	}
	var lists []rank.PostingList
	for _, share := range []float64{.001, .05, .1, .2} {
		var list rank.PostingList
		for row := range int32(n) {
			if r.Float64() < share {
				list.Rows, list.Counts = append(list.Rows, row), append(list.Counts, 1+r.Uint32N(3))
			}
		}
		lists = append(lists, list)
	}
	return a, lists
}

func query(a *rank.Columns, lists []rank.PostingList, p rank.Params) rank.Query {
	q := rank.Query{Conversations: rank.ConversationScores(a, lists, p), Worded: rank.Union(len(a.Length), lists), Words: rank.Words(len(a.Length), lists), K: 100}
	q.Turns, q.Neighbors = rank.TurnScores(a, lists, p)
	return q
}

func BenchmarkTop_Keyword100k(b *testing.B) {
	a, lists := large(100_000)
	p := rank.KeyWords()
	b.ReportAllocs()
	for b.Loop() {
		rank.Top(a, query(a, lists, p), p)
	}
}

func BenchmarkTop_100k(b *testing.B) {
	a, lists := large(100_000)
	p := rank.KeyWords()
	q := query(a, lists, p)
	q.Eligible = rowsWhere(a, func(int32) bool { return true })
	b.ReportAllocs()
	for b.Loop() {
		rank.Top(a, q, p)
	}
}

func BenchmarkTop_Hybrid100k(b *testing.B) {
	a, lists := large(100_000)
	b.Run("frequent", func(b *testing.B) { benchmarkHybrid(b, a, lists) })
	b.Run("rare", func(b *testing.B) { benchmarkHybrid(b, a, lists[:2]) })
}

func benchmarkHybrid(b *testing.B, a *rank.Columns, lists []rank.PostingList) {
	p := rank.Sentence()
	q := query(a, lists, p)
	q.Vectors = &rank.Vectors{Spread: rank.Spread{Deviation: .1}}
	for i := range int32(200) {
		q.Vectors.Candidates = append(q.Vectors.Candidates, rank.Candidate{Row: i * 499, Similarity: 1 - float64(i)/1000})
	}
	q.Vectors.Similarity = func(rows []int32) []float64 { return make([]float64, len(rows)) }
	b.ReportAllocs()
	for b.Loop() {
		rank.Top(a, q, p)
	}
}
