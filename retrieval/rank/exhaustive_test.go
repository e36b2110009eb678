package rank_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"lens/retrieval/rank"
)

// exhaustive ranks by the plain formulas: every row by every term, without precomputation or shortcuts.
func exhaustive(a *rank.Columns, lists []rank.PostingList, q rank.Query, p rank.Params) rank.Result {
	own, around := naiveTurns(a, lists, p)
	conversations := rank.ConversationScores(a, lists, p)
	bestTurn, bestConversation := 0.0, 0.0
	for row := range own {
		bestTurn = max(bestTurn, own[row]+around[row])
	}
	for _, score := range conversations {
		bestConversation = max(bestConversation, score)
	}
	var first, rest []rank.Hit
	for row := range int32(len(own)) {
		outside := q.Range != nil && (row < q.Range.From || row >= q.Range.To)
		if own[row] <= 0 || outside || q.Eligible != nil && !q.Eligible.Has(row) {
			continue
		}
		f := rank.Features{Own: own[row] / bestTurn, Around: around[row] / bestTurn}
		if bestConversation > 0 {
			f.Conversation = conversations[a.Conversation[row]] / bestConversation
		}
		if slices.Contains(q.Exact, row) {
			f.Exact = 1
		}
		for _, d := range q.Dates {
			if i := int(row - d.From); i >= 0 && i < len(d.Shares) {
				f.Date = d.Shares[i]
			}
		}
		first = append(first, rank.Hit{Row: row, Score: f.Score(&p.Weights), Similarity: math.NaN(), Features: f})
	}
	sortHits(first)
	matching := len(first)
	if matching > 100 {
		first, rest = first[:100], first[100:]
	}
	for i, h := range first {
		cover(&first[i].Features, a, lists, h.Row)
		first[i].Score = first[i].Features.Score(&p.Weights)
	}
	sortHits(first)
	hits := slices.Concat(first, rest)
	for i := range hits[:max(0, matching-1)] {
		hits[i+1].Score = min(hits[i+1].Score, hits[i].Score)
	}
	return rank.Result{Hits: hits[:min(q.K, matching)], Matching: matching}
}

func sortHits(hits []rank.Hit) {
	slices.SortFunc(hits, func(x, y rank.Hit) int {
		return cmp.Or(cmp.Compare(y.Score, x.Score), cmp.Compare(x.Row, y.Row))
	})
}

// cover is how much of the query a row and its neighbors hold, by the formula.
func cover(f *rank.Features, a *rank.Columns, lists []rank.PostingList, row int32) {
	total := 0.0
	for _, w := range rank.Words(len(a.Length), lists) {
		total += w.IDF
	}
	f.AllWords = 1
	for _, w := range rank.Words(len(a.Length), lists) {
		own := slices.Contains(w.Rows, row)
		if !own {
			f.AllWords = 0
		}
		if own || slices.Contains(w.Rows, a.Prev[row]) || slices.Contains(w.Rows, a.Next[row]) {
			f.Coverage += w.IDF / total
		}
	}
}

// naiveTurns is the formula of rank.TurnScores, row by row.
func naiveTurns(a *rank.Columns, lists []rank.PostingList, p rank.Params) (own, around []float64) {
	n := len(a.Length)
	own, around = make([]float64, n), make([]float64, n)
	near := func(row int, of func(row int32) float64) (sum float64) {
		for _, neighbor := range []int32{a.Prev[row], a.Next[row]} {
			if neighbor >= 0 {
				sum += of(neighbor)
			}
		}
		return sum
	}
	nearby := 0.0
	for row := range n {
		nearby += near(row, func(r int32) float64 { return float64(a.Length[r]) })
	}
	average := (float64(a.TotalLength) + p.Gamma*nearby) / float64(n)
	for _, list := range lists {
		counts := make([]float64, n)
		for i, row := range list.Rows {
			counts[row] = float64(list.Counts[i])
		}
		df := float64(len(list.Rows))
		weight := math.Log1p((float64(n)-df+.5)/(df+.5)) * (p.K1 + 1)
		for row := range n {
			around1 := 0.0
			if df <= float64(n)/8 {
				around1 = p.Gamma * near(row, func(r int32) float64 { return counts[r] })
			}
			length := float64(a.Length[row]) + p.Gamma*near(row, func(r int32) float64 { return float64(a.Length[r]) })
			share := weight / (counts[row] + around1 + p.K1*(1-p.B+p.B*length/average))
			own[row] += share * counts[row]
			around[row] += share * around1
		}
	}
	return own, around
}

func TestTop_EqualsExhaustiveRanking(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, lists := drawSearch(t)
		p := rapid.SampledFrom([]rank.Params{rank.KeyWords(), rank.Sentence()}).Draw(t, "form")
		n := int32(len(a.Length))
		q := rank.Query{K: rapid.SampledFrom([]int{1, 7, 40, 300}).Draw(t, "k"), Conversations: rank.ConversationScores(a, lists, p), Words: rank.Words(len(a.Length), lists)}
		q.Turns, q.Neighbors = rank.TurnScores(a, lists, p)
		if rapid.Bool().Draw(t, "best known") {
			turns, neighbors := make([]float64, n), make([]float64, n)
			q.BestTurn = rank.AddTurnScores(turns, neighbors, a, lists, p)
			q.BestConversation = rank.AddConversationScores(make([]float64, a.Conversations), a, lists, p)
		}
		if rapid.Bool().Draw(t, "rows known") {
			q.Worded = rank.Union(len(a.Length), lists)
		}
		if rapid.Bool().Draw(t, "windowed") {
			from := rapid.Int32Range(0, n).Draw(t, "from")
			q.Range = &rank.RowRange{From: from, To: rapid.Int32Range(from, n).Draw(t, "to")}
		}
		if rapid.Bool().Draw(t, "filtered") {
			q.Eligible = rowsWhere(a, func(row int32) bool { return row%3 > 0 })
		}
		if rapid.Bool().Draw(t, "looked up") && len(lists) > 0 {
			q.Exact = lists[0].Rows
		}
		if rapid.Bool().Draw(t, "dated") {
			q.Dates = drawDates(t, n)
		}
		want, got := exhaustive(a, lists, q, p), rank.Top(a, q, p)
		if got.Matching != want.Matching || len(got.Hits) != len(want.Hits) {
			t.Fatalf("%d hits of %d, not %d of %d", len(got.Hits), got.Matching, len(want.Hits), want.Matching)
		}
		for i, w := range want.Hits {
			if g := got.Hits[i]; g.Row != w.Row || g.Score != w.Score || g.Features != w.Features {
				t.Fatalf("hit %d: %+v, not %+v", i, g, w)
			}
		}
	})
}

// drawSearch draws an archive of conversations and the lists of a query, from rare terms to such as are nearly everywhere. Few different lengths
// and counts make for many equal scores.
func drawSearch(t *rapid.T) (*rank.Columns, []rank.PostingList) {
	n := rapid.SampledFrom([]int{1, 2, 50, 300, 700}).Draw(t, "turns")
	a := &rank.Columns{Conversations: (n + 3) / 4}
	for row := range int32(n) {
		a.Length = append(a.Length, rapid.SampledFrom([]int32{1, 10, 10, 10, 300}).Draw(t, "length"))
		a.TotalLength += int64(a.Length[row])
		a.Conversation = append(a.Conversation, row/4)
		prev, next := row-1, row+1
		if row%4 == 0 {
			prev = -1
		}
		if row%4 == 3 || next == int32(n) {
			next = -1
		}
		a.Prev, a.Next = append(a.Prev, prev), append(a.Next, next)
	}
	var lists []rank.PostingList
	for range rapid.IntRange(0, 6).Draw(t, "terms") {
		every := rapid.Int32Range(1, 40).Draw(t, "every")
		first := rapid.Int32Range(0, every).Draw(t, "first")
		var list rank.PostingList
		for row := first; row < int32(n); row += every {
			list.Rows, list.Counts = append(list.Rows, row), append(list.Counts, 1+uint32(row)%3)
		}
		lists = append(lists, list)
	}
	return a, lists
}

// drawDates draws up to four disjoint runs of the first n rows.
func drawDates(t *rapid.T, n int32) (all []rank.DatedRows) {
	for from := int32(0); from < n && len(all) < 4; {
		d := rank.DatedRows{From: rapid.Int32Range(from, n-1).Draw(t, "dates from")}
		for range rapid.Int32Range(1, n-d.From).Draw(t, "dates") {
			d.Shares = append(d.Shares, rapid.SampledFrom([]float64{0, .25, 1}).Draw(t, "share"))
		}
		all, from = append(all, d), d.From+int32(len(d.Shares))
	}
	return all
}

// rowsWhere returns the rows of a that pass.
func rowsWhere(a *rank.Columns, passes func(row int32) bool) rank.Rows {
	rows := rank.NewRows(len(a.Length))
	for row := range int32(len(a.Length)) {
		if passes(row) {
			rows.Add(row)
		}
	}
	return rows
}
