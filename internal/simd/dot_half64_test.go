package simd

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/x448/float16"
)

// precisely is the definition of DotHalfRows64, spelled out for one row.
func precisely(query []float32, row []uint16) float64 {
	var sums [8]float64
	whole := len(query) &^ 7
	for j := range whole {
		sums[j%8] += float64(query[j]) * float64(half(row[j]))
	}
	for apart := 4; apart > 0; apart /= 2 {
		for j := range apart {
			sums[j] += sums[j+apart]
		}
	}
	for j := whole; j < len(query); j++ {
		sums[0] += float64(query[j]) * float64(half(row[j]))
	}
	return sums[0]
}

func TestDotHalfRows64_SameBitsAtEveryLevel(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, width := range []int{1, 7, 8, 9, 15, 16, 17, 24, 40, 100, 384, 385, 1536, 3072} {
		for n := 1; n < 4; n++ {
			for offset := range 3 {
				query, rows := make([]float32, offset+width)[offset:], make([]uint16, offset+n*width)[offset:]
				for i := range query {
					query[i] = float32(r.NormFloat64())
				}
				for i := range rows {
					rows[i] = float16.Fromfloat32(float32(r.NormFloat64()) * float32(math.Exp2(-float64(r.IntN(24))))).Bits()
				}
				atEachLevel(t, func(t *testing.T) {
					out := make([]float64, n)
					DotHalfRows64(out, query, rows)
					for i, got := range out {
						if want := precisely(query, rows[i*width:(i+1)*width]); got != want {
							t.Fatalf("level %s, width %d, row %d of %d: %v, want %v", Level(), width, i, n, got, want)
						}
					}
				})
			}
		}
	}
}

func TestDotHalfPicked64_SameBitsAsDotHalfRows64(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, width := range []int{1, 8, 12, 16, 100, 384, 3072} {
		query, rows := random(r, width), make([]uint16, 9*width)
		for i := range rows {
			rows[i] = float16.Fromfloat32(float32(r.NormFloat64())).Bits()
		}
		for n := range 10 {
			picked := make([]int32, n)
			for i := range picked {
				picked[i] = r.Int32N(9)
			}
			atEachLevel(t, func(t *testing.T) {
				out := make([]float64, n)
				DotHalfPicked64(out, query, rows, picked)
				for i, got := range out {
					if want := precisely(query, rows[int(picked[i])*width:][:width]); got != want {
						t.Fatalf("level %s, width %d, row %d of %d: %v, want %v", Level(), width, i, n, got, want)
					}
				}
			})
		}
	}
}

func TestDotHalfPicked64_RowOutsidePanics(t *testing.T) {
	for _, picked := range [][]int32{{0, 1, 2, 3, 4}, {4, 0, 1, 2}, {-1, 0, 1, 2}} {
		atEachLevel(t, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Errorf("level %s: rows %v of four were compared", Level(), picked)
				}
			}()
			DotHalfPicked64(make([]float64, len(picked)), make([]float32, 8), make([]uint16, 32), picked)
		})
	}
}

func BenchmarkDotHalfPicked64(b *testing.B) {
	query, rows, out, picked := make([]float32, 3072), make([]uint16, 64*3072), make([]float64, 64), make([]int32, 64)
	for i := range picked {
		picked[i] = int32(i * 37 % 64)
	}
	atEachLevel(b, func(b *testing.B) {
		b.Run(Level(), func(b *testing.B) {
			b.SetBytes(int64(2 * len(rows)))
			for b.Loop() {
				DotHalfPicked64(out, query, rows, picked)
			}
		})
	})
}

func BenchmarkDotHalfRows64(b *testing.B) {
	query, rows, out := make([]float32, 3072), make([]uint16, 64*3072), make([]float64, 64)
	for i := range rows {
		query[i%3072], rows[i] = 0.5, uint16(i%30000)
	}
	atEachLevel(b, func(b *testing.B) {
		b.Run(Level(), func(b *testing.B) {
			b.SetBytes(int64(2 * len(rows)))
			for b.Loop() {
				DotHalfRows64(out, query, rows)
			}
		})
	})
}
