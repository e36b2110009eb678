package simd

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/x448/float16"
)

// atEachLevel runs fn with every instruction set that this machine has, from plain Go up.
func atEachLevel[T testing.TB](t T, fn func(t T)) {
	best := level
	defer func() { level = best }()
	for l := pureGo; l <= best; l++ {
		if l == neon && best != neon {
			continue
		}
		level = l
		fn(t)
	}
}

func TestFloatKernels_EqualReference(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, width := range []int{1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 31, 32, 33, 47, 48, 63, 64, 65, 100, 127, 128, 130, 384, 511, 512, 1000} {
		for _, n := range []int{1, 2, 3, 7} {
			for offset := range 3 {
				data := make([]byte, 8*(width*(n+1)+offset))
				for i := range data {
					data[i] = byte(r.Uint32())
				}
				atEachLevel(t, func(t *testing.T) { compareAll(t, data, width, n, offset) })
			}
		}
	}
}

func FuzzFloatKernels(f *testing.F) {
	f.Add([]byte("sixteen bytes and a few more of them, so that rows come out"), uint8(3), uint8(1))
	f.Add(make([]byte, 300), uint8(17), uint8(0))
	f.Fuzz(func(t *testing.T, data []byte, width, offset uint8) {
		w, o := int(width), int(offset)
		if w == 0 {
			return
		}
		n := len(data)/(8*w) - 1 - (o+w-1)/w
		if n < 1 {
			return
		}
		atEachLevel(t, func(t *testing.T) { compareAll(t, data, w, n, o) })
	})
}

// compareAll reads query and rows out of data, beginning offset values in.
func compareAll(t testing.TB, data []byte, width, n, offset int) {
	t.Helper()
	floats := make([]float32, offset+width*(n+1))
	for i := range floats {
		floats[i] = float32(int16(binary.LittleEndian.Uint64(data[8*i:]))) / 8192
	}
	end := offset + width
	compareClose(t, n, floats[offset:end], floats[end:], DotRows, dotRowsGo)
}

func compareClose(t testing.TB, n int, query, rows []float32, kernel, twin func(out, query, rows []float32)) {
	t.Helper()
	got, want := make([]float32, n), make([]float32, n)
	kernel(got, query, rows)
	twin(want, query, rows)
	for i := range want {
		// Values are below 4 in size, so a sum of w products errs by less than 16·w·w·2⁻²⁴ in any order.
		bound := 16 * float64(len(query)*len(query)+1) / (1 << 24)
		if d := math.Abs(float64(got[i] - want[i])); !(d <= bound) {
			t.Fatalf("level %s, width %d, row %d of %d: %v, plain Go says %v", level, len(query), i, n, got[i], want[i])
		}
	}
}

func TestHalf_EveryValue(t *testing.T) {
	for h := range 1 << 16 {
		got, want := half(uint16(h)), float16.Frombits(uint16(h)).Float32()
		if math.Float32bits(got) != math.Float32bits(want) && !(math.IsNaN(float64(got)) && math.IsNaN(float64(want))) {
			t.Fatalf("half %#04x is %v, want %v", h, got, want)
		}
	}
}

func TestDotRows_WrongLengthsPanic(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Fatal("no panic")
		}
	}()
	DotRows(make([]float32, 2), make([]float32, 3), make([]float32, 5))
}

func TestDotRows_NoRows(t *testing.T) {
	WeightedHammingPicked(nil, make([]uint64, 32), nil, nil)
	DotRows(nil, nil, nil)
}

func TestMatrix_EqualsReference(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	shapes := [][3]int{{1, 1, 1}, {1, 384, 384}, {5, 7, 3}, {12, 32, 32}, {13, 33, 31}, {25, 400, 65}, {24, 768, 64}, {6, 385, 16}}
	for _, shape := range shapes {
		rows, k, n := shape[0], shape[1], shape[2]
		a, b := random(r, rows*k), random(r, k*n)
		want := make([]float64, rows*n)
		for i := range rows {
			for j := range n {
				want[i*n+j] = 0.5
				for p := range k {
					want[i*n+j] += float64(a[i*k+p]) * float64(b[p*n+j])
				}
			}
		}
		atEachLevel(t, func(t *testing.T) {
			checkProduct(t, "rows", NewMatrix(b, k, n), a, want, rows, k, n)
			checkProduct(t, "columns", NewTransposed(transpose(b, k, n), k, n), a, want, rows, k, n)
		})
	}
}

func checkProduct(t testing.TB, name string, m *Matrix, a []float32, want []float64, rows, k, n int) {
	t.Helper()
	c := make([]float32, rows*n)
	for i := range c {
		c[i] = 0.5
	}
	var s Scratch
	m.MulAdd(c, n, a, k, rows, &s)
	for i := range want {
		if math.Abs(float64(c[i])-want[i]) > 1e-4*math.Sqrt(float64(k)) {
			t.Fatalf("%s, level %s, %d×%d by %d×%d: element %d is %v, want %v", name, level, rows, k, k, n, i, c[i], want[i])
		}
	}
}

func random(r *rand.Rand, n int) []float32 {
	v := make([]float32, n)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	return v
}

func transpose(b []float32, k, n int) []float32 {
	t := make([]float32, len(b))
	for i := range k {
		for j := range n {
			t[j*k+i] = b[i*n+j]
		}
	}
	return t
}

func BenchmarkRows(b *testing.B) {
	const n = 1000
	r := rand.New(rand.NewPCG(5, 6))
	floats := random(r, n*3072)
	words, nibbles := make([]uint64, n*16), make([]byte, n*192)
	for i := range words {
		words[i] = r.Uint64()
	}
	sums, dots := make([]int32, n), make([]float32, n)
	picked := make([]int32, n)
	for i := range picked {
		picked[i] = int32(i)
	}
	benchmarkRows(b, "weighted1024", len(words)*8, func() { WeightedHammingPicked(sums, words[:64], words, picked) })
	query, columns, grouped := NewBitQuery(words[:64]), make([]byte, 1024*128), make([]int32, 1024)
	benchmarkRows(b, "groups1024", len(columns), func() { query.HammingGroups(grouped, columns) })
	benchmarkRows(b, "nibbles384", len(nibbles), func() { DotNibbleRows(sums, make([]int8, 384), nibbles) })
	benchmarkRows(b, "float3072", 4*len(floats), func() { DotRows(dots, floats[:3072], floats) })
}

func BenchmarkMatrix(b *testing.B) {
	r := rand.New(rand.NewPCG(7, 8))
	const rows, k, n = 300, 384, 1536
	left, right, c := random(r, rows*k), random(r, k*n), make([]float32, rows*n)
	var s Scratch
	atEachLevel(b, func(b *testing.B) {
		m := NewMatrix(right, k, n)
		b.Run("300x384x1536/"+Level(), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				m.MulAdd(c, n, left, k, rows, &s)
			}
			b.ReportMetric(2*rows*k*n*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOPS")
		})
	})
}

func benchmarkRows(b *testing.B, name string, bytes int, kernel func()) {
	atEachLevel(b, func(b *testing.B) {
		b.Run(name+"/"+Level(), func(b *testing.B) {
			b.SetBytes(int64(bytes))
			for b.Loop() {
				kernel()
			}
		})
	})
}
