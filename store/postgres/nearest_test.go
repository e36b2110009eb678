package postgres

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/x448/float16"

	"lens/store"
	"lens/store/postgres/pgtest"
	"lens/store/storetest"
)

// embedded opens an archive with a turn for each of vectors and returns the exact result of Nearest.
func embedded(t *testing.T, vectors [][]float32, query []float32) (*Store, []store.Neighbor) {
	t.Helper()
	return embeddedAt(t, pgtest.Schema(t), vectors, query)
}

func embeddedAt(t *testing.T, address string, vectors [][]float32, query []float32) (*Store, []store.Neighbor) {
	t.Helper()
	s := openAt(t, Options{URL: address})
	c := storetest.Chat(len(vectors), "near")
	must(t, put(t.Context(), s, c))
	var ranked []store.Neighbor
	must(t, s.Update(t.Context(), func(tx store.Tx) error {
		g, err := tx.PutGeneration(t.Context(), store.Generation{Provider: "p", Model: "m", Dim: len(query), Recipe: 1})
		must(t, err)
		all := make([]store.Vector, len(vectors))
		for i, v := range vectors {
			all[i] = store.Vector{Turn: c.Turns[i].ID, Values: v}
			ranked = append(ranked, store.Neighbor{Ord: c.Turns[i].Ord, Similarity: store.Dot(query, store.Halves(v))})
		}
		must(t, tx.PutVectors(t.Context(), g.ID, all))
		return tx.Activate(t.Context(), g.ID)
	}))
	return s, nearest(ranked, len(ranked))
}

func TestNearest_ServerOrderReversed(t *testing.T) {
	const dim, n = 256, 600
	r := rand.New(rand.NewPCG(1, 2))
	query := unit(t, r, make([]float32, dim), 1)
	vectors := make([][]float32, n)
	for i := range vectors {
		vectors[i] = misleadingVector(t, r, query, 2*float64(i)/n-1)
	}
	s, ranked := embedded(t, vectors, query)
	for _, k := range []int{1, 5, 50, 300, 600} {
		found, err := s.Nearest(t.Context(), query, store.Filter{}, k)
		must(t, err)
		if !slices.Equal(found, ranked[:k]) {
			t.Errorf("k %d: got %v, want %v", k, found, ranked[:k])
		}
	}
}

// misleadingVector returns a unit vector that is nearer to query the greater s is (-1 to 1), by the rounding of query
// to halves, and farther from those halves.
func misleadingVector(t *testing.T, r *rand.Rand, query []float32, s float64) []float32 {
	t.Helper()
	dim := len(query)
	halved, residue, rest, v := make([]float64, dim), make([]float64, dim), make([]float64, dim), make([]float64, dim)
	for i, x := range query {
		halved[i] = float64(float16.Fromfloat32(x).Float32())
		residue[i] = float64(x) - halved[i]
		rest[i] = r.NormFloat64()
	}
	length := math.Sqrt(dot(residue, residue))
	for i := range v { // the exact and the server's similarity change by half of the rounding each, in opposite directions
		v[i] = s*residue[i]/length/2 - s*halved[i]*(dot(residue, halved)/length+length/2)/2/dot(halved, halved) + halved[i]/2
	}
	for _, axis := range [][]float64{halved, residue, halved} {
		along := dot(rest, axis) / dot(axis, axis)
		for i := range rest {
			rest[i] -= along * axis[i]
		}
	}
	fill := math.Sqrt((1 - dot(v, v)) / dot(rest, rest))
	narrow := make([]float32, dim)
	for i := range v {
		narrow[i] = float32(v[i] + fill*rest[i])
	}
	narrow, err := store.Unit(narrow)
	must(t, err)
	return narrow
}

func dot(a, b []float64) (sum float64) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// unit returns a unit vector around center.
func unit(t *testing.T, r *rand.Rand, center []float32, spread float64) []float32 {
	t.Helper()
	v := make([]float32, len(center))
	for i := range v {
		v[i] = center[i] + float32(spread*r.NormFloat64())
	}
	v, err := store.Unit(v)
	must(t, err)
	return v
}

func TestPutVectors_WiderThanAPage(t *testing.T) {
	const dim = 8192
	r := rand.New(rand.NewPCG(3, 4))
	query := unit(t, r, make([]float32, dim), 1)
	vectors := make([][]float32, 20)
	for i := range vectors {
		vectors[i] = unit(t, r, make([]float32, dim), 1)
	}
	s, ranked := embedded(t, vectors, query)
	found, err := s.Nearest(t.Context(), query, store.Filter{}, 10)
	must(t, err)
	if !slices.Equal(found, ranked[:10]) {
		t.Errorf("got %v, want %v", found, ranked[:10])
	}
}

func TestVersionLess(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"0.6.2", "0.7.0", true},
		{"0.7.0", "0.7.0", false},
		{"0.10.0", "0.7.0", false},
		{"1.0", "0.7.0", false},
		{"0.7", "0.7.0", true},
		{"0.7.0.1", "0.7.0", false},
	} {
		if got := versionLess(c.a, c.b); got != c.want {
			t.Errorf("versionLess(%q, %q) = %v", c.a, c.b, got)
		}
	}
}
