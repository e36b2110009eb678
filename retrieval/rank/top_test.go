package rank_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"lens/retrieval/rank"
)

// ones weighs all features alike.
var ones = rank.Params{Weights: rank.Features{
	Exact: 10, Own: 1, Around: 1, Conversation: 1, Date: 1, Coverage: 1, AllWords: 1, Vector: 1, NeighborVector: 1,
}}

func TestTop_Features(t *testing.T) {
	a := small()
	turns, around := []float64{4, 2, 0, 1, 0}, []float64{1, 2, 3, 0, 0}
	conversations := []float64{5, 10}
	cosines := func(known map[int32]float64) func(rows []int32) []float64 {
		return func(rows []int32) []float64 {
			all := make([]float64, len(rows))
			for i, row := range rows {
				cosine, ok := known[row]
				if all[i] = cosine; !ok {
					all[i] = math.NaN()
				}
			}
			return all
		}
	}
	for _, c := range []struct {
		name string
		q    rank.Query
		want []rank.Hit
	}{
		{
			"words alone",
			rank.Query{Turns: turns, K: 9},
			[]rank.Hit{{Row: 0, Features: rank.Features{Own: 1}}, {Row: 1, Features: rank.Features{Own: .5}}, {Row: 3, Features: rank.Features{Own: .25}}},
		},
		{
			"context lifts what has a term, and lets in nothing that has none",
			rank.Query{Turns: turns, Neighbors: around, Conversations: conversations, K: 9},
			[]rank.Hit{
				{Row: 0, Features: rank.Features{Own: .8, Around: .2, Conversation: .5}},
				{Row: 1, Features: rank.Features{Own: .4, Around: .4, Conversation: .5}},
				{Row: 3, Features: rank.Features{Own: .2, Conversation: 1}},
			},
		},
		{
			"an identifier held whole stands first",
			rank.Query{Turns: turns, Neighbors: around, Conversations: conversations, Exact: []int32{3}, K: 2},
			[]rank.Hit{
				{Row: 3, Features: rank.Features{Exact: 1, Own: .2, Conversation: 1}},
				{Row: 0, Features: rank.Features{Own: .8, Around: .2, Conversation: .5}},
			},
		},
		{
			"a date lifts what has a term, and lets in nothing that has none",
			rank.Query{Turns: turns, Dates: []rank.DatedRows{{From: 2, Shares: []float64{1, .8}}}, K: 9},
			[]rank.Hit{
				{Row: 3, Features: rank.Features{Own: .25, Date: .8}},
				{Row: 0, Features: rank.Features{Own: 1}},
				{Row: 1, Features: rank.Features{Own: .5}},
			},
		},
		{
			"words of a row and its neighbors; one word is nowhere",
			rank.Query{Turns: turns, K: 9, Words: []rank.Word{{Rows: []int32{0, 3}, IDF: 1}, {Rows: []int32{1}, IDF: 2}, {IDF: 1}}},
			[]rank.Hit{
				{Row: 0, Features: rank.Features{Own: 1, Coverage: .75}},
				{Row: 1, Features: rank.Features{Own: .5, Coverage: .75}},
				{Row: 3, Features: rank.Features{Own: .25, Coverage: .25}},
			},
		},
		{
			"all words",
			rank.Query{Turns: turns, K: 9, Words: []rank.Word{{Rows: []int32{0, 1, 3}, IDF: 1}, {Rows: []int32{3}, IDF: 1}}},
			[]rank.Hit{
				{Row: 3, Features: rank.Features{Own: .25, Coverage: 1, AllWords: 1}},
				{Row: 0, Features: rank.Features{Own: 1, Coverage: .5}},
				{Row: 1, Features: rank.Features{Own: .5, Coverage: .5}},
			},
		},
		{
			"vectors of a row and its neighbors",
			rank.Query{Turns: turns, K: 9, Vectors: &rank.Vectors{
				Candidates: []rank.Candidate{{Row: 2, Similarity: .9}, {Row: 1, Similarity: .5}},
				Spread:     rank.Spread{Median: .3, Deviation: .2},
				Similarity: cosines(map[int32]float64{0: .1}),
			}},
			[]rank.Hit{
				{Row: 3, Similarity: math.NaN(), Features: rank.Features{Own: .25, NeighborVector: 3}},
				{Row: 2, Similarity: .9, Features: rank.Features{Vector: 3}},
				{Row: 0, Similarity: .1, Features: rank.Features{Own: 1, Vector: -1, NeighborVector: 1}},
				{Row: 1, Similarity: .5, Features: rank.Features{Own: .5, Vector: 1, NeighborVector: -1}},
			},
		},
		{
			"where no cosine stands out, the nearer is first",
			rank.Query{K: 9, Vectors: &rank.Vectors{Candidates: []rank.Candidate{{Row: 4, Similarity: .2}, {Row: 0, Similarity: .1}}}},
			[]rank.Hit{{Row: 4, Similarity: .2}, {Row: 0, Similarity: .1}},
		},
		{
			"a cosine counts up to six deviations, and down to three",
			rank.Query{K: 9, Vectors: &rank.Vectors{
				Candidates: []rank.Candidate{{Row: 4, Similarity: .9}, {Row: 0, Similarity: -.9}}, Spread: rank.Spread{Deviation: .1},
			}},
			[]rank.Hit{
				{Row: 4, Similarity: .9, Features: rank.Features{Vector: 6}},
				{Row: 0, Similarity: -.9, Features: rank.Features{Vector: -3}},
			},
		},
	} {
		got := rank.Top(a, c.q, ones).Hits
		if len(got) != len(c.want) {
			t.Errorf("%s: got %+v", c.name, got)
			continue
		}
		for i, hit := range got {
			want := c.want[i]
			if hit.Row != want.Row || !alike(hit.Features, want.Features) || !near(hit.Score, want.Features.Score(&ones.Weights)) {
				t.Errorf("%s: place %d is %+v, want %+v", c.name, i, hit, want)
			}
			if c.q.Vectors != nil && !(hit.Similarity == want.Similarity || math.IsNaN(hit.Similarity) && math.IsNaN(want.Similarity)) {
				t.Errorf("%s: place %d has the cosine %v, want %v", c.name, i, hit.Similarity, want.Similarity)
			}
		}
	}
}

// alike reports whether features are equal but for rounding.
func alike(a, b rank.Features) bool {
	values := make(map[string]float64)
	for name, value := range a.All() {
		values[name] = value
	}
	for name, value := range b.All() {
		if !near(values[name], value) {
			return false
		}
	}
	return true
}

func TestTop_VectorsOfLongTurnsCountLess(t *testing.T) {
	a := &rank.Columns{Length: []int32{60, 240}}
	q := rank.Query{K: 2, Vectors: &rank.Vectors{
		Candidates: []rank.Candidate{{Row: 0, Similarity: .4}, {Row: 1, Similarity: .4}}, Spread: rank.Spread{Deviation: .1},
	}}
	hits := rank.Top(a, q, rank.KeyWords()).Hits
	if short, long := hits[0].Features.Vector, hits[1].Features.Vector; short != 4 || long != 2 {
		t.Errorf("the short one counts %v, the long one %v; want 4 and 2", short, long)
	}
}

// An identifier weighs more than all else together, and no row gains by what its form does not weigh.
func TestParams_Weights(t *testing.T) {
	for name, p := range map[string]rank.Params{"sentence": rank.Sentence(), "key words": rank.KeyWords()} {
		all := rank.Features{Own: 1, Conversation: 1, Date: 1, Coverage: 1, AllWords: 1, Vector: 6, NeighborVector: 6}
		if most := all.Score(&p.Weights); most >= p.Weights.Exact {
			t.Errorf("%s: all but an identifier is %v, an identifier %v", name, most, p.Weights.Exact)
		}
		if p.Weights.Around > p.Weights.Own {
			t.Errorf("%s: neighbors weigh more than the turn, which no bound of the scan expects", name)
		}
	}
	if rank.Sentence().Weights.AllWords != 0 || rank.KeyWords().Weights.NeighborVector != 0 {
		t.Error("the forms of a query are weighed alike")
	}
}

// A short list begins as a long one does, beyond the depth to which all features count, too.
func TestTop_OrderDoesNotDependOnK(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, lists := drawSearch(t)
		p := rapid.SampledFrom([]rank.Params{rank.KeyWords(), rank.Sentence()}).Draw(t, "form")
		n := len(a.Length)
		q := rank.Query{Conversations: rank.ConversationScores(a, lists, p), Words: rank.Words(n, lists)}
		q.Turns, q.Neighbors = rank.TurnScores(a, lists, p)
		var near []rank.Candidate
		for row := range int32(n) {
			near = append(near, rank.Candidate{Row: row, Similarity: float64(row*7%int32(n)) / float64(n)})
		}
		slices.SortFunc(near, func(a, b rank.Candidate) int { return cmp.Compare(b.Similarity, a.Similarity) })
		hybrid := rapid.Bool().Draw(t, "hybrid")
		top := func(k int) []rank.Hit {
			q.K = k
			if hybrid {
				q.Vectors = &rank.Vectors{
					Candidates: near[:min(n, rank.Depth(k))], Spread: rank.Spread{Median: .5, Deviation: .2},
					Similarity: func(rows []int32) (cosines []float64) {
						for _, row := range rows {
							cosines = append(cosines, float64(row*7%int32(n))/float64(n))
						}
						return cosines
					},
				}
			}
			return rank.Top(a, q, p).Hits
		}
		all := top(n)
		for _, k := range []int{1, 10, 99, 100, 101, 199, 401} {
			for i, h := range top(k) {
				if h.Row != all[i].Row || h.Score != all[i].Score {
					t.Fatalf("place %d of %d is %+v, of all %+v", i, k, h, all[i])
				}
			}
		}
	})
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
		all := rank.Top(a, q, rank.KeyWords())
		lo := rapid.Int32Range(0, int32(len(a.Length))).Draw(t, "window")
		q.Eligible = rowsWhere(a, func(row int32) bool { return row >= lo })
		want := slices.DeleteFunc(all.Hits, func(h rank.Hit) bool { return h.Row < lo })
		eligible := len(want)
		q.K = k
		got := rank.Top(a, q, rank.KeyWords())
		same := func(a, b rank.Hit) bool { return a.Row == b.Row && a.Score == b.Score && a.Features == b.Features }
		if !slices.EqualFunc(got.Hits, want[:min(k, len(want))], same) || got.Matching != eligible {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}

func TestTop_Ties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, q := drawQuery(t)
		q.Vectors = &rank.Vectors{Spread: rank.Spread{Median: .4, Deviation: .1}}
		for i := range q.Turns {
			if rapid.Bool().Draw(t, "a candidate") {
				q.Vectors.Candidates = append(q.Vectors.Candidates, rank.Candidate{Row: int32(i), Similarity: float64(rapid.IntRange(0, 3).Draw(t, "cosine"))})
			}
		}
		for _, p := range []rank.Params{rank.BM25(), rank.KeyWords(), rank.Sentence()} {
			hits := rank.Top(a, q, p).Hits
			if !slices.IsSortedFunc(hits, func(a, b rank.Hit) int {
				return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(a.Row, b.Row))
			}) {
				t.Fatalf("out of order: %v", hits)
			}
		}
	})
}

func TestTop_HybridListsRowsOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, q := drawQuery(t)
		q.Vectors = &rank.Vectors{Spread: rank.Spread{Median: .4, Deviation: .1}}
		q.K = len(a.Length)
		want := make(map[int32]bool)
		for row, score := range q.Turns {
			if score > 0 {
				want[int32(row)] = true
			}
		}
		for row := range int32(len(q.Turns)) {
			if rapid.Bool().Draw(t, "a candidate") {
				q.Vectors.Candidates = append(q.Vectors.Candidates, rank.Candidate{Row: row, Similarity: .5})
				want[row] = true
			}
		}
		asked := 0
		q.Vectors.Similarity = func(rows []int32) []float64 {
			asked++
			return make([]float64, len(rows))
		}
		got := rank.Top(a, q, rank.Sentence())
		for _, hit := range got.Hits {
			if !want[hit.Row] {
				t.Fatalf("row %d is listed twice or was never a candidate", hit.Row)
			}
			delete(want, hit.Row)
		}
		if len(want) > 0 || got.Matching != len(got.Hits) || asked > 2 {
			t.Fatalf("%d rows are missing, %d matching of %d, requested %d times", len(want), got.Matching, len(got.Hits), asked)
		}
	})
}

// A least cosine takes rows out before the list is cut to K, and changes neither scores nor order.
func TestTop_MinSimilarity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, q := drawQuery(t)
		q.Vectors = &rank.Vectors{Spread: rank.Spread{Median: .4, Deviation: .1}}
		for row := range int32(len(q.Turns)) {
			if rapid.Bool().Draw(t, "a candidate") {
				cosine := float64(rapid.IntRange(-2, 10).Draw(t, "cosine")) / 10
				q.Vectors.Candidates = append(q.Vectors.Candidates, rank.Candidate{Row: row, Similarity: cosine})
			}
		}
		q.Vectors.Similarity = func(rows []int32) []float64 {
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
		want := slices.DeleteFunc(rank.Top(a, q, rank.Sentence()).Hits, func(h rank.Hit) bool { return !(h.Similarity >= least) })
		q.K, q.Vectors.MinSimilarity = k, least
		if got := rank.Top(a, q, rank.Sentence()).Hits; !slices.Equal(got, want[:min(k, len(want))]) {
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
	if hits := rank.Top(a, q, rank.Params{Weights: rank.Features{Own: 1, Date: 2}}).Hits; hits[0].Row != 700 {
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
		if hits := rank.Top(a, q, ones).Hits; hits[0].Row != 700 {
			t.Errorf("%s: got %+v", name, hits)
		}
	}
}

// Only where all that was looked for by its vector stands out may there be more.
func TestTop_More(t *testing.T) {
	near := make([]rank.Candidate, rank.Depth(1))
	for i := range near {
		near[i] = rank.Candidate{Row: int32(i), Similarity: 0.5}
	}
	a := &rank.Columns{
		Length: make([]int32, len(near)), Conversation: make([]int32, len(near)), Conversations: 1,
		Prev: slices.Repeat([]int32{-1}, len(near)), Next: slices.Repeat([]int32{-1}, len(near)),
	}
	for name, c := range map[string]struct {
		vectors *rank.Vectors
		want    bool
	}{
		"all stand out":     {&rank.Vectors{Candidates: near, NoiseFloor: 0.4}, true},
		"the last does not": {&rank.Vectors{Candidates: near, NoiseFloor: 0.6}, false},
		"fewer":             {&rank.Vectors{Candidates: near[1:], NoiseFloor: 0.4}, false},
		"words alone":       {nil, false},
	} {
		if got := rank.Top(a, rank.Query{Vectors: c.vectors, K: 1}, rank.Sentence()); got.More != c.want {
			t.Errorf("%s: got %v", name, got.More)
		}
	}
}
