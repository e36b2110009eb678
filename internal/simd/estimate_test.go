package simd

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestExtrapolate_EqualsReference(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for n := range 40 {
		offsets, products := random(r, 2*n), make([]int32, n)
		for i := range products {
			products[i] = r.Int32N(1 << 16)
		}
		got, want := make([]float32, n), make([]float32, n)
		extrapolateGo(want, offsets, products, 0.25, -0.001, 7.5)
		atEachLevel(t, func(t *testing.T) {
			clear(got)
			Extrapolate(got, offsets, products, 0.25, -0.001, 7.5)
			if !slices.Equal(got, want) {
				t.Fatalf("level %s, %d values: %v, want %v", Level(), n, got, want)
			}
		})
	}
}

func TestAtLeast_SetsBits(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for _, n := range []int{0, 1, 7, 8, 9, 63, 64, 65, 100, 256} {
		values := random(r, n)
		for i := range values {
			switch i % 11 {
			case 3:
				values[i] = float32(math.NaN())
			case 5:
				values[i] = 0.5
			}
		}
		for _, least := range []float32{0.5, float32(math.Inf(-1)), float32(math.Inf(1))} {
			atEachLevel(t, func(t *testing.T) {
				reached := slices.Repeat([]uint64{^uint64(0)}, 5)
				AtLeast(reached, values, least)
				for i := range 64 * ((n + 63) / 64) {
					if want := i < n && values[i] >= least; reached[i/64]>>(i%64)&1 == 1 != want {
						t.Fatalf("level %s, %d values: %d is wrong for %v", Level(), n, i, least)
					}
				}
			})
		}
	}
}
