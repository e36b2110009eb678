package rank_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"lens/retrieval/rank"
)

// small is an archive of five turns in two conversations: 0 1 4 and 2 3.
func small() *rank.Columns {
	return &rank.Columns{
		Length:        []int32{10, 20, 30, 40, 0},
		TotalLength:   100,
		Conversation:  []int32{0, 0, 1, 1, 0},
		Conversations: 2,
		Prev:          []int32{-1, 0, -1, 2, 1},
		Next:          []int32{1, 4, 3, -1, -1},
	}
}

func TestTurnScores_Formula(t *testing.T) {
	a := small()
	lists := []rank.PostingList{{Rows: []int32{0, 2}, Counts: []uint32{3, 1}}, {Rows: []int32{2}, Counts: []uint32{2}}, {}}
	got, around := rank.TurnScores(a, lists, rank.BM25())
	term := func(n, df, tf, length, average float64) float64 {
		return math.Log(1+(n-df+.5)/(df+.5)) * tf * 2.2 / (tf + 1.2*(.25+.75*length/average))
	}
	want := []float64{term(5, 2, 3, 10, 20), 0, term(5, 2, 1, 30, 20) + term(5, 1, 2, 30, 20), 0, 0}
	for row := range want {
		if !near(got[row], want[row]) || around[row] != 0 {
			t.Errorf("row %d: %v, want %v", row, got[row], want[row])
		}
	}
	conversations := rank.ConversationScores(a, lists, rank.BM25())
	for c, want := range []float64{term(2, 2, 3, 30, 50), term(2, 2, 1, 70, 50) + term(2, 1, 2, 70, 50)} {
		if !near(conversations[c], want) {
			t.Errorf("conversation %d: %v, want %v", c, conversations[c], want)
		}
	}
}

func TestTurnScores_NeighborsAsField(t *testing.T) {
	a := &rank.Columns{Length: make([]int32, 20), Conversation: make([]int32, 20), Conversations: 1}
	for row := range int32(20) { // one conversation of 20 turns, ten terms each
		a.Length[row], a.TotalLength = 10, a.TotalLength+10
		a.Prev, a.Next = append(a.Prev, row-1), append(a.Next, row+1)
	}
	a.Next[19] = -1
	rare := rank.PostingList{Rows: []int32{1, 2}, Counts: []uint32{3, 1}}
	own, around := rank.TurnScores(a, []rank.PostingList{rare}, rank.Params{K1: 1.2, B: .75, Gamma: .5})
	const average = 10 + .5*(18*20+2*10)/20
	share := func(tf, length float64) float64 {
		return math.Log(1+(20-2+.5)/(2+.5)) * 2.2 / (tf + 1.2*(.25+.75*length/average))
	}
	wantOwn := []float64{0, share(3.5, 20) * 3, share(2.5, 20), 0, 0}
	wantAround := []float64{share(1.5, 15) * 1.5, share(3.5, 20) * .5, share(2.5, 20) * 1.5, share(.5, 20) * .5, 0}
	for row := range wantOwn {
		if !near(own[row], wantOwn[row]) || !near(around[row], wantAround[row]) {
			t.Errorf("row %d: %v and %v, want %v and %v", row, own[row], around[row], wantOwn[row], wantAround[row])
		}
	}
}

func TestTurnScores_CommonTerm(t *testing.T) {
	a := small()
	_, around := rank.TurnScores(a, []rank.PostingList{{Rows: []int32{0, 1}, Counts: []uint32{3, 1}}}, rank.KeyWords())
	for row, score := range around {
		if score != 0 {
			t.Errorf("row %d gets %v from its neighbors", row, score)
		}
	}
}

func TestTurnScores_RepeatedQueries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, _ := drawQuery(t)
		draw := func() (lists []rank.PostingList) {
			for range rapid.IntRange(0, 3).Draw(t, "terms") {
				rows := rapid.SliceOfNDistinct(rapid.Int32Range(0, int32(len(a.Length)-1)), 0, len(a.Length), rapid.ID).Draw(t, "rows")
				lists = append(lists, rank.PostingList{Rows: rows, Counts: slices.Repeat([]uint32{2}, len(rows))})
			}
			return lists
		}
		first, second := draw(), draw()
		own, around := rank.TurnScores(a, second, rank.KeyWords())
		rank.TurnScores(a, first, rank.KeyWords())
		ownAgain, aroundAgain := rank.TurnScores(a, second, rank.KeyWords())
		if !slices.Equal(own, ownAgain) || !slices.Equal(around, aroundAgain) {
			t.Fatalf("got %v and %v, then %v and %v", own, around, ownAgain, aroundAgain)
		}
	})
}

func TestTurnScores_TermInEveryTurn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := small()
		n := rapid.IntRange(1, 5).Draw(t, "turns that have it")
		var list rank.PostingList
		for row := range int32(n) {
			list.Rows, list.Counts = append(list.Rows, row), append(list.Counts, rapid.Uint32Range(1, 1000).Draw(t, "count"))
		}
		own, around := rank.TurnScores(a, []rank.PostingList{list}, rank.KeyWords())
		for row, score := range own {
			if row < n && score <= 0 || math.IsNaN(score) || !(around[row] >= 0) {
				t.Fatalf("row %d scores %v", row, score)
			}
		}
	})
}

func TestTop_EmptyArchive(t *testing.T) {
	a := new(rank.Columns)
	q := rank.Query{Conversations: rank.ConversationScores(a, nil, rank.BM25()), K: 10}
	q.Turns, q.Neighbors = rank.TurnScores(a, nil, rank.BM25())
	for _, p := range []rank.Params{rank.BM25(), rank.KeyWords(), rank.Sentence()} {
		if got := rank.Top(a, q, p); len(got.Hits) > 0 || got.Matching > 0 {
			t.Errorf("got %v", got)
		}
	}
}
