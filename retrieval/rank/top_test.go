package rank_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"lens/retrieval/rank"
)

func TestTop_ScoreIsSumOfParts(t *testing.T) {
	a := small()
	turns, around := []float64{4, 2, 0, 1, 0}, []float64{1, 2, 3, 0, 0}
	conversations := []float64{5, 10}
	for _, c := range []struct {
		name string
		q    rank.Query
		p    rank.Params
		want []rank.Hit
	}{
		{
			"keywords alone",
			rank.Query{Turns: turns, K: 9},
			rank.BM25(),
			[]rank.Hit{{Row: 0, Parts: rank.Parts{Keyword: 1}}, {Row: 1, Parts: rank.Parts{Keyword: .5}}, {Row: 3, Parts: rank.Parts{Keyword: .25}}},
		},
		{
			"context lifts what has a term, and lets in nothing that has none",
			rank.Query{Turns: turns, Neighbors: around, Conversations: conversations, K: 9},
			rank.Params{Delta: .4},
			[]rank.Hit{
				{Row: 0, Parts: rank.Parts{Keyword: .8, Neighbor: .2, Conversation: .2}},
				{Row: 1, Parts: rank.Parts{Keyword: .4, Neighbor: .4, Conversation: .2}},
				{Row: 3, Parts: rank.Parts{Keyword: .2, Conversation: .4}},
			},
		},
		{
			"an identifier held whole stands first",
			rank.Query{Turns: turns, Neighbors: around, Conversations: conversations, Exact: []int32{3}, K: 2},
			rank.Params{Delta: .4},
			[]rank.Hit{
				{Row: 3, Parts: rank.Parts{Exact: 1.4, Keyword: .2, Conversation: .4}},
				{Row: 0, Parts: rank.Parts{Keyword: .8, Neighbor: .2, Conversation: .2}},
			},
		},
		{
			"a date lifts what has a term, and lets in nothing that has none",
			rank.Query{Turns: turns, Dates: []rank.DatedRows{{From: 2, Shares: []float64{1, .5}}}, K: 9},
			rank.Params{Date: .8},
			[]rank.Hit{
				{Row: 0, Parts: rank.Parts{Keyword: 1}},
				{Row: 3, Parts: rank.Parts{Keyword: .25, Date: .4}},
				{Row: 1, Parts: rank.Parts{Keyword: .5}},
			},
		},
		{
			"an identifier held whole stands before what has a date",
			rank.Query{Turns: turns, Exact: []int32{3}, Dates: []rank.DatedRows{{From: 0, Shares: []float64{1}}}, K: 2},
			rank.Params{Date: 2},
			[]rank.Hit{
				{Row: 3, Parts: rank.Parts{Exact: 3, Keyword: .25}},
				{Row: 0, Parts: rank.Parts{Keyword: 1, Date: 2}},
			},
		},
		{
			"vectors and words",
			rank.Query{
				Turns: turns, Conversations: conversations, K: 9, Candidates: []rank.Candidate{{Row: 2, Similarity: .9}, {Row: 1, Similarity: .5}},
				Similarity: func(rows []int32) []float64 {
					cosines := map[int32]float64{0: .1, 3: math.NaN()}
					known := make([]float64, len(rows))
					for i, row := range rows {
						known[i] = cosines[row]
					}
					return known
				},
			},
			rank.Params{Alpha: .4, Delta: .5},
			[]rank.Hit{
				{Row: 0, Parts: rank.Parts{Keyword: .6, Conversation: .15}},
				{Row: 2, Parts: rank.Parts{Vector: .4, Conversation: .3}},
				{Row: 1, Parts: rank.Parts{Vector: .05, Keyword: .3, Conversation: .15}},
				{Row: 3, Parts: rank.Parts{Keyword: .15, Conversation: .3}},
			},
		},
		{
			"one cosine is the best cosine",
			rank.Query{K: 9, Candidates: []rank.Candidate{{Row: 4, Similarity: -.2}}},
			rank.Params{Alpha: .5},
			[]rank.Hit{{Row: 4, Parts: rank.Parts{Vector: .5}}},
		},
	} {
		got := rank.Top(a, c.q, c.p).Hits
		if len(got) != len(c.want) {
			t.Errorf("%s: got %+v", c.name, got)
			continue
		}
		for i, hit := range got {
			p, w := hit.Parts, c.want[i].Parts
			same := near(p.Exact, w.Exact) && near(p.Vector, w.Vector) && near(p.Keyword, w.Keyword) && near(p.Neighbor, w.Neighbor) &&
				near(p.Conversation, w.Conversation) && near(p.Date, w.Date)
			if hit.Row != c.want[i].Row || !same || !near(hit.Score, p.Exact+p.Vector+p.Keyword+p.Neighbor+p.Conversation+p.Date) {
				t.Errorf("%s: place %d is %+v, want %+v", c.name, i, hit, c.want[i])
			}
		}
	}
}

// drawQuery draws an archive of conversations in a row, with scores of which many are equal.
func drawQuery(t *rapid.T) (*rank.Columns, rank.Query) {
	n := rapid.IntRange(1, 60).Draw(t, "rows")
	a := &rank.Columns{Length: make([]int32, n), Conversation: make([]int32, n), Prev: make([]int32, n), Next: make([]int32, n)}
	q := rank.Query{Turns: make([]float64, n), Neighbors: make([]float64, n), K: rapid.IntRange(0, n+2).Draw(t, "k")}
	for row := range int32(n) {
		a.Prev[row], a.Next[row] = -1, -1
		if row > 0 && rapid.Bool().Draw(t, "goes on") {
			a.Prev[row], a.Next[row-1] = row-1, row
		} else {
			q.Conversations = append(q.Conversations, float64(rapid.IntRange(0, 4).Draw(t, "talk")))
		}
		a.Conversation[row] = int32(len(q.Conversations) - 1)
		q.Turns[row] = float64(max(0, rapid.IntRange(-3, 4).Draw(t, "score")))
		q.Neighbors[row] = float64(rapid.IntRange(0, 2).Draw(t, "around"))
	}
	a.Conversations = len(q.Conversations)
	return a, q
}

func TestTop_WindowKeepsKeywordScores(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, q := drawQuery(t)
		k := q.K
		q.K = len(a.Length)
		all := rank.Top(a, q, rank.Keyword())
		lo := rapid.Int32Range(0, int32(len(a.Length))).Draw(t, "window")
		q.Eligible = rowsWhere(a, func(row int32) bool { return row >= lo })
		want := slices.DeleteFunc(all.Hits, func(h rank.Hit) bool { return h.Row < lo })
		eligible := len(want)
		q.K = k
		got := rank.Top(a, q, rank.Keyword())
		same := func(a, b rank.Hit) bool { return a.Row == b.Row && a.Score == b.Score && a.Parts == b.Parts }
		if !slices.EqualFunc(got.Hits, want[:min(k, len(want))], same) || got.Matching != eligible {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}

func TestTop_Ties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, q := drawQuery(t)
		for i := range q.Turns {
			if rapid.Bool().Draw(t, "a candidate") {
				q.Candidates = append(q.Candidates, rank.Candidate{Row: int32(i), Similarity: float64(rapid.IntRange(0, 3).Draw(t, "cosine"))})
			}
		}
		for _, p := range []rank.Params{rank.BM25(), rank.Keyword(), rank.Hybrid(.2)} {
			hits := rank.Top(a, q, p).Hits
			if !slices.IsSortedFunc(hits, func(a, b rank.Hit) int {
				return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Row, b.Row))
			}) {
				t.Fatalf("out of order: %v", hits)
			}
		}
	})
}

func TestTop_HybridListsRowsOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, q := drawQuery(t)
		q.K = len(a.Length)
		want := make(map[int32]bool)
		for row, score := range q.Turns {
			if score > 0 {
				want[int32(row)] = true
			}
		}
		for row := range int32(len(q.Turns)) {
			if rapid.Bool().Draw(t, "a candidate") {
				q.Candidates = append(q.Candidates, rank.Candidate{Row: row, Similarity: .5})
				want[row] = true
			}
		}
		asked := 0
		q.Similarity = func(rows []int32) []float64 {
			asked++
			return make([]float64, len(rows))
		}
		got := rank.Top(a, q, rank.Hybrid(.2))
		for _, hit := range got.Hits {
			if !want[hit.Row] {
				t.Fatalf("row %d is listed twice or was never a candidate", hit.Row)
			}
			delete(want, hit.Row)
		}
		if len(want) > 0 || got.Matching != len(got.Hits) || asked > 1 {
			t.Fatalf("%d rows are missing, %d matching of %d, requested %d times", len(want), got.Matching, len(got.Hits), asked)
		}
	})
}

// A least cosine takes rows out before the list is cut to K, and changes neither scores nor order.
func TestTop_MinSimilarity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, q := drawQuery(t)
		for row := range int32(len(q.Turns)) {
			if rapid.Bool().Draw(t, "a candidate") {
				cosine := float64(rapid.IntRange(-2, 10).Draw(t, "cosine")) / 10
				q.Candidates = append(q.Candidates, rank.Candidate{Row: row, Similarity: cosine})
			}
		}
		q.Similarity = func(rows []int32) []float64 {
			cosines := make([]float64, len(rows))
			for i, row := range rows {
				if cosines[i] = float64(row%11) / 10; row%5 == 0 {
					cosines[i] = math.NaN()
				}
			}
			return cosines
		}
		k, least := q.K, float64(rapid.IntRange(1, 9).Draw(t, "least"))/10
		q.K = len(a.Length)
		want := slices.DeleteFunc(rank.Top(a, q, rank.Hybrid(.4)).Hits, func(h rank.Hit) bool { return !(h.Similarity >= least) })
		q.K, q.MinSimilarity = k, least
		if got := rank.Top(a, q, rank.Hybrid(.4)).Hits; !slices.Equal(got, want[:min(k, len(want))]) {
			t.Fatalf("from %v on, got %v, want %v", least, got, want)
		}
	})
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-12 }

// The scan skips rows by their words alone where no bonus for a date can lift them.
func TestTop_DateInLaterRows(t *testing.T) {
	a := &rank.Columns{Length: make([]int32, 1000)}
	q := rank.Query{Turns: make([]float64, 1000), K: 3}
	for row := range q.Turns {
		q.Turns[row] = 10
	}
	q.Turns[700] = .1
	q.Dates = []rank.DatedRows{{From: 100, Shares: []float64{0}}, {From: 700, Shares: []float64{1, 0}}}
	if hits := rank.Top(a, q, rank.Params{Date: 2}).Hits; hits[0].Row != 700 {
		t.Errorf("got %+v", hits)
	}
}

// The scan skips rows by their words and those of their neighbors, whether a word of rows has few or many with a term.
func TestTop_NeighborsInLaterRows(t *testing.T) {
	for name, other := range map[string]float64{"few": 0, "many": .1} {
		a := &rank.Columns{Length: make([]int32, 1000)}
		q := rank.Query{Turns: make([]float64, 1000), Neighbors: make([]float64, 1000), K: 3}
		for row := range q.Turns {
			if q.Turns[row] = other; row < 64 {
				q.Turns[row] = 10
			}
		}
		q.Turns[700], q.Neighbors[700] = 1, 12
		if hits := rank.Top(a, q, rank.Params{}).Hits; hits[0].Row != 700 {
			t.Errorf("%s: got %+v", name, hits)
		}
	}
}
