package vecindex

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/x448/float16"
	"pgregory.net/rapid"

	"lens/store"
)

// randomUnit is a vector of unit length, now and then with elements so small that their halves are subnormal.
func randomUnit(r *rand.Rand, dim int) []float32 {
	v := make([]float32, dim)
	for i := range v {
		v[i] = float32(r.NormFloat64())
		if r.IntN(4) == 0 {
			v[i] *= 1e-5
		}
	}
	v[0] += 1e-3
	unit, err := store.Unit(v)
	if err != nil {
		panic(err)
	}
	return unit
}

// randomIndex holds n rows of which some are equal, under shuffled ordinals.
func randomIndex(r *rand.Rand, dim, n int) *Index {
	ords := make([]store.Ord, n)
	for i, p := range r.Perm(n) {
		ords[i] = store.Ord(p + 1)
	}
	var rows []byte
	for i := range n {
		if i > 0 && r.IntN(5) == 0 {
			rows = append(rows, rows[:2*dim]...)
			continue
		}
		rows = append(rows, store.Halves(randomUnit(r, dim))...)
	}
	return New(dim, ords, rows)
}

// naive ranks every row that passes by store.Dot.
func naive(x *Index, query []float32, lo, hi int, keep func(int) bool, k int) []store.Neighbour {
	found := []store.Neighbour{}
	for i := max(lo, 0); i < min(hi, x.Len()); i++ {
		if keep == nil || keep(i) {
			row := x.blocks.rows[i*2*x.Dim : (i+1)*2*x.Dim]
			found = append(found, store.Neighbour{Ord: x.ords[i], Similarity: store.Dot(query, row)})
		}
	}
	slices.SortFunc(found, func(a, b store.Neighbour) int {
		return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(a.Ord, b.Ord))
	})
	return found[:min(max(k, 0), len(found))]
}

func TestASearchFindsWhatRankingEveryRowFinds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		dim, n := rapid.IntRange(1, 40).Draw(t, "dim"), rapid.IntRange(0, 3*stretch).Draw(t, "rows")
		x := randomIndex(r, dim, n)
		lo, hi := rapid.IntRange(-5, n+5).Draw(t, "lo"), rapid.IntRange(-5, n+5).Draw(t, "hi")
		k := rapid.IntRange(0, n+10).Draw(t, "k")
		var keep func(int) bool
		if every := rapid.IntRange(1, 9).Draw(t, "every"); every > 1 {
			keep = func(row int) bool { return row%every == 0 }
		}
		query := randomUnit(r, dim)
		got, err := x.Search(context.Background(), query, lo, hi, keep, k)
		if wanted := naive(x, query, lo, hi, keep, k); err != nil || !slices.Equal(got, wanted) {
			t.Fatalf("got %v, %v, want %v", got, err, wanted)
		}
	})
}

func TestTheFastPassStaysWithinItsSlack(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, dim := range []int{1, 3, 4, 384, 1536, 3072} {
		worst := 0.0
		for range 300 {
			query, row := randomUnit(r, dim), store.Halves(randomUnit(r, dim))
			worst = max(worst, math.Abs(float64(dot(query, row))-store.Dot(query, row)))
		}
		if worst > float64(slack(dim)) {
			t.Errorf("dim %d: off by %g, slack %g", dim, worst, slack(dim))
		}
	}
}

func TestEveryHalfIsWidenedExactly(t *testing.T) {
	for bits := range 1 << 16 {
		got, wanted := store.Widen(uint16(bits)), float16.Frombits(uint16(bits)).Float32()
		if got != wanted && !math.IsNaN(float64(wanted)) {
			t.Fatalf("half %04x: got %g, want %g", bits, got, wanted)
		}
	}
}

func TestKthIsThatOfTheSortedList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scores := rapid.SliceOfN(rapid.Float32Range(-2, 2), 1, 200).Draw(t, "scores")
		for i := range scores { // many equal ones, and some that are skipped
			scores[i] = float32(math.Round(float64(scores[i]) * 4))
			if scores[i] == 7 {
				scores[i] = skipped
			}
		}
		k := rapid.IntRange(1, len(scores)).Draw(t, "k")
		sorted := slices.Clone(scores)
		slices.SortFunc(sorted, func(a, b float32) int { return cmp.Compare(b, a) })
		if got := kth(slices.Clone(scores), k); got != sorted[k-1] {
			t.Fatalf("got %g, want %g", got, sorted[k-1])
		}
	})
}

func TestASearchEndsWhenItsContextDoes(t *testing.T) {
	x := randomIndex(rand.New(rand.NewPCG(3, 4)), 8, 10*stretch)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := x.Search(ctx, randomUnit(rand.New(rand.NewPCG(5, 6)), 8), 0, x.Len(), func(row int) bool {
		cancel()
		return true
	}, 10)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func BenchmarkSearch(b *testing.B) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, shape := range []struct {
		name      string
		dim, rows int
	}{{"384x20000", 384, 20_000}, {"3072x5000", 3072, 5000}} {
		x := randomIndex(r, shape.dim, shape.rows)
		query := randomUnit(r, shape.dim)
		for _, window := range []int{1, 100} {
			b.Run(shape.name+"/"+map[int]string{1: "all", 100: "1%"}[window], func(b *testing.B) {
				b.SetBytes(int64(2 * shape.dim * shape.rows / window))
				for b.Loop() {
					if _, err := x.Search(b.Context(), query, 0, shape.rows/window, nil, 100); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
