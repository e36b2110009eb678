package storetest

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/uuid"

	"lens/internal/errs"
	"lens/store"
)

var vectorChecks = []check{
	{"are found by descending similarity, ties by ordinal", nearestInOrder},
	{"have the similarity of Dot, to the last bit", similaritiesAreExact},
	{"of another length are rejected, and so is a query", otherDimensions},
	{"without a direction are rejected", notVectors},
	{"are compared with unit vectors only", queriesMustBeUnitVectors},
	{"are scaled to unit length", vectorsAreMadeUnit},
	{"are replaced", vectorsAreReplaced},
	{"are found as soon as they are added", vectorsAreFoundAtOnce},
	{"can be deleted in every generation", vectorsAreDeleted},
	{"of other generations are not found", otherGenerationsAreNotFound},
	{"follow their turn to a new ordinal", vectorsFollowTheirTurn},
	{"of unknown turns are dropped", vectorsOfUnknownTurns},
	{"are seen by another opening", vectorsSeenElsewhere},
	{"of many dimensions are found in any window", nearestOfAnyWindow},
}

// vectorOf returns the unit vector of a name.
func vectorOf(dim int, name string) []float32 {
	sum := sha256.Sum256([]byte(name))
	r := rand.New(rand.NewPCG(binary.LittleEndian.Uint64(sum[:]), binary.LittleEndian.Uint64(sum[8:])))
	v := make([]float32, dim)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	unit, err := store.Unit(v)
	if err != nil {
		panic(err) // a random vector is never zero
	}
	return unit
}

// embed gives turns the vectors of their user texts.
func (a *archive) embed(tb testing.TB, g store.Generation, turns ...store.Turn) {
	tb.Helper()
	vectors := make([]store.Vector, len(turns))
	for i, turn := range turns {
		vectors[i] = store.Vector{Turn: turn.ID, Text: turn.UserText, Values: vectorOf(g.Dim, turn.UserText)}
	}
	a.update(tb, func(tx store.Tx) error { return tx.PutVectors(tb.Context(), g.ID, vectors) })
}

// exactNearest returns the exact result of Nearest for vectors made by embed.
func exactNearest(query []float32, turns []store.Turn, k int) (found []store.Neighbor) {
	for _, turn := range turns {
		similarity := store.Dot(query, store.Halves(vectorOf(len(query), turn.UserText)))
		found = append(found, store.Neighbor{Ord: turn.Ord, Similarity: similarity})
	}
	slices.SortFunc(found, func(x, y store.Neighbor) int {
		return cmp.Or(cmp.Compare(y.Similarity, x.Similarity), cmp.Compare(x.Ord, y.Ord))
	})
	return found[:min(k, len(found))]
}

func (a *archive) nearest(tb testing.TB, query []float32, k int) []store.Neighbor {
	tb.Helper()
	found, err := a.Nearest(tb.Context(), query, store.Filter{}, k)
	must(tb, err)
	return found
}

// manyTurns puts n turns. Every tenth repeats the text of the one before it.
func (a *archive) manyTurns(tb testing.TB, n int) []store.Turn {
	tb.Helper()
	var exchanges []exchange
	for i := range n {
		text := fmt.Sprint("text ", i)
		if i%10 == 9 {
			text = fmt.Sprint("text ", i-1)
		}
		exchanges = append(exchanges, exchange{User: text, Replies: []string{"yes"}, At: at(i * 7 % n)})
	}
	return a.put(tb, chat("many", exchanges...))[0].Turns
}

func nearestInOrder(t *testing.T, a *archive) {
	turns := a.manyTurns(t, 300)
	for _, dim := range []int{1, 7, 64} {
		a.embed(t, a.generation(t, dim, true), turns...)
		for _, k := range []int{0, 1, 10, 300, 1000} {
			query := vectorOf(dim, fmt.Sprint("query ", k))
			if got, wanted := a.nearest(t, query, k), exactNearest(query, turns, k); !slices.Equal(got, wanted) {
				t.Errorf("dim %d, k %d: got %v, want %v", dim, k, got, wanted)
			}
		}
	}
}

func similaritiesAreExact(t *testing.T, a *archive) {
	turns := a.manyTurns(t, 20)
	a.embed(t, a.generation(t, 33, true), turns[:10]...)
	query := vectorOf(33, "query")
	ords := []store.Ord{turns[15].Ord, turns[3].Ord, 9999, turns[0].Ord, turns[3].Ord, 0}
	got, err := a.Similarities(t.Context(), query, ords)
	must(t, err)
	for i, turn := range []int{-1, 3, -1, 0, 3, -1} {
		if turn < 0 {
			want(t, "similarity of no vector is NaN", math.IsNaN(got[i]), true)
			continue
		}
		want(t, "similarity", got[i], store.Dot(query, store.Halves(vectorOf(33, turns[turn].UserText))))
	}
}

func otherDimensions(t *testing.T, a *archive) {
	turns := a.manyTurns(t, 3)
	g := a.generation(t, 8, true)
	a.embed(t, g, turns[0])
	for _, dim := range []int{0, 7, 9} {
		err := a.Update(t.Context(), func(tx store.Tx) error {
			return tx.PutVectors(t.Context(), g.ID, []store.Vector{
				{Turn: turns[1].ID, Values: vectorOf(8, "fine")}, {Turn: turns[2].ID, Values: make([]float32, dim)},
			})
		})
		wantCode(t, err, errs.DimensionMismatch)
		_, err = a.Nearest(t.Context(), make([]float32, dim), store.Filter{}, 3)
		wantCode(t, err, errs.DimensionMismatch)
		_, err = a.Similarities(t.Context(), make([]float32, dim), []store.Ord{1})
		wantCode(t, err, errs.DimensionMismatch)
	}
	want(t, "vectors", a.generations(t)[0].Vectors, 1)
}

func notVectors(t *testing.T, a *archive) {
	turns := a.manyTurns(t, 1)
	g := a.generation(t, 3, true)
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, v := range [][]float32{{0, 0, 0}, {1, nan, 0}, {inf, 0, 0}, {0, -inf, 1}} {
		err := a.Update(t.Context(), func(tx store.Tx) error {
			return tx.PutVectors(t.Context(), g.ID, []store.Vector{{Turn: turns[0].ID, Values: v}})
		})
		wantCode(t, err, errs.Invalid)
	}
	want(t, "vectors", a.generations(t)[0].Vectors, 0)
}

func queriesMustBeUnitVectors(t *testing.T, a *archive) {
	turns := a.manyTurns(t, 3)
	a.embed(t, a.generation(t, 3, true), turns...)
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	queries := [][]float32{
		{0, 0, 0}, {nan, 0, 0}, {1, nan, 0}, {inf, 0, 0}, {1, 0, -inf}, {0.9, 0, 0}, {1, 1, 0}, {3e38, 3e38, 0},
	}
	for _, query := range queries {
		_, err := a.Nearest(t.Context(), query, store.Filter{}, 3)
		wantCode(t, err, errs.Invalid)
		_, err = a.Similarities(t.Context(), query, []store.Ord{turns[0].Ord})
		wantCode(t, err, errs.Invalid)
	}
	if _, err := a.Nearest(t.Context(), []float32{1.0005, 0, 0}, store.Filter{}, 3); err != nil { // within rounding
		t.Error(err)
	}
}

func vectorsAreMadeUnit(t *testing.T, a *archive) {
	turns := a.manyTurns(t, 2)
	g := a.generation(t, 2, true)
	a.update(t, func(tx store.Tx) error {
		return tx.PutVectors(t.Context(), g.ID, []store.Vector{
			{Turn: turns[0].ID, Values: []float32{300, 400}}, {Turn: turns[1].ID, Values: []float32{0, 1e-3}},
		})
	})
	query := []float32{0.6, 0.8}
	wanted := []store.Neighbor{
		{Ord: turns[0].Ord, Similarity: store.Dot(query, store.Halves([]float32{0.6, 0.8}))},
		{Ord: turns[1].Ord, Similarity: store.Dot(query, store.Halves([]float32{0, 1}))},
	}
	if got := a.nearest(t, query, 2); !slices.Equal(got, wanted) {
		t.Errorf("got %v, want %v", got, wanted)
	}
}

func vectorsAreReplaced(t *testing.T, a *archive) {
	turns := a.manyTurns(t, 5)
	g := a.generation(t, 16, true)
	a.embed(t, g, turns...)
	query := vectorOf(16, "query")
	a.nearest(t, query, 5)
	changed := turns[2]
	changed.UserText = "other"
	a.embed(t, g, changed)
	turns[2] = changed
	if got, wanted := a.nearest(t, query, 10), exactNearest(query, turns, 10); !slices.Equal(got, wanted) {
		t.Errorf("got %v, want %v", got, wanted)
	}
	want(t, "vectors", a.generations(t)[0].Vectors, 5)
}

func vectorsAreFoundAtOnce(t *testing.T, a *archive) {
	turns := a.manyTurns(t, 50)
	g := a.generation(t, 16, true)
	query := vectorOf(16, "query")
	want(t, "neighbors before the first", len(a.nearest(t, query, 10)), 0)
	for n := 0; n < len(turns); n += 5 {
		a.embed(t, g, turns[n:n+5]...)
		if got, wanted := a.nearest(t, query, 100), exactNearest(query, turns[:n+5], 100); !slices.Equal(got, wanted) {
			t.Fatalf("%d vectors: got %v, want %v", n+5, got, wanted)
		}
	}
	late := a.put(t, chat("late", exchange{User: "late", Replies: []string{"x"}, At: at(3)}))[0].Turns
	a.embed(t, g, late...)
	turns = append(turns, late...)
	if got, wanted := a.nearest(t, query, 100), exactNearest(query, turns, 100); !slices.Equal(got, wanted) {
		t.Errorf("after a turn in the middle: got %v, want %v", got, wanted)
	}
}

func vectorsAreDeleted(t *testing.T, a *archive) {
	turns := a.manyTurns(t, 6)
	first, second := a.generation(t, 8, true), a.generation(t, 16, false)
	a.embed(t, first, turns...)
	a.embed(t, second, turns...)
	query := vectorOf(8, "query")
	a.nearest(t, query, 6)
	a.update(t, func(tx store.Tx) error {
		return tx.DeleteVectors(t.Context(), []uuid.UUID{turns[1].ID, turns[4].ID, idOf("unknown")})
	})
	left := []store.Turn{turns[0], turns[2], turns[3], turns[5]}
	if got, wanted := a.nearest(t, query, 6), exactNearest(query, left, 6); !slices.Equal(got, wanted) {
		t.Errorf("got %v, want %v", got, wanted)
	}
	for _, g := range a.generations(t) {
		want(t, "vectors", g.Vectors, 4)
	}
	n, err := a.CountPending(t.Context(), second.ID, store.Filter{})
	must(t, err)
	want(t, "pending again", n, 2)
}

func otherGenerationsAreNotFound(t *testing.T, a *archive) {
	turns := a.manyTurns(t, 10)
	first, second := a.generation(t, 8, true), a.generation(t, 16, false)
	a.embed(t, first, turns[:5]...)
	a.embed(t, second, turns...)
	query := vectorOf(8, "query")
	if got, wanted := a.nearest(t, query, 10), exactNearest(query, turns[:5], 10); !slices.Equal(got, wanted) {
		t.Errorf("first: got %v, want %v", got, wanted)
	}
	a.update(t, func(tx store.Tx) error { return tx.Activate(t.Context(), second.ID) })
	query = vectorOf(16, "query")
	if got, wanted := a.nearest(t, query, 10), exactNearest(query, turns, 10); !slices.Equal(got, wanted) {
		t.Errorf("second: got %v, want %v", got, wanted)
	}
}

func vectorsFollowTheirTurn(t *testing.T, a *archive) {
	turns := a.manyTurns(t, 10)
	g := a.generation(t, 8, true)
	a.embed(t, g, turns...)
	query := vectorOf(8, "query")
	a.nearest(t, query, 10)
	a.update(t, func(tx store.Tx) (err error) {
		if turns[3].Ord, err = tx.ReserveOrds(t.Context(), 1); err != nil {
			return err
		}
		turns[3].Time = at(1000)
		return tx.PutTurns(t.Context(), turns[3:4])
	})
	if got, wanted := a.nearest(t, query, 10), exactNearest(query, turns, 10); !slices.Equal(got, wanted) {
		t.Errorf("got %v, want %v", got, wanted)
	}
}

func vectorsOfUnknownTurns(t *testing.T, a *archive) {
	turns := a.manyTurns(t, 1)
	g := a.generation(t, 8, true)
	a.embed(t, g, turns[0], store.Turn{ID: idOf("unknown"), UserText: "lost"})
	want(t, "vectors", a.generations(t)[0].Vectors, 1)
	want(t, "neighbors", len(a.nearest(t, vectorOf(8, "query"), 10)), 1)
}

func vectorsSeenElsewhere(t *testing.T, a *archive) {
	other := a.openAgain(t)
	turns := a.manyTurns(t, 40)
	g := a.generation(t, 8, true)
	query := vectorOf(8, "query")
	for _, n := range []int{10, 40} {
		a.embed(t, g, turns[:n]...)
		got, err := other.Nearest(t.Context(), query, store.Filter{}, 50)
		must(t, err)
		if wanted := exactNearest(query, turns[:n], 50); !slices.Equal(got, wanted) {
			t.Errorf("%d vectors: got %v, want %v", n, got, wanted)
		}
	}
}
