package simd

import (
	"math"
	"slices"
	"testing"
)

func TestExpSum_Accuracy(t *testing.T) {
	atEachLevel(t, func(t *testing.T) {
		for _, n := range []int{1, 7, 8, 15, 16, 33, 1000} {
			v, want, sum := make([]float32, n), make([]float64, n), 0.0
			for i := range v {
				v[i] = -float32((i+n/2)*(i+n/2)%1000) / 3
			}
			top := slices.Max(v)
			for i := range v {
				want[i] = math.Exp(float64((v[i] - top) * 0.25))
				sum += want[i]
			}
			got := ExpSum(v, 0.25)
			for i := range v {
				if math.Abs(float64(v[i])-want[i]) > 4e-7*want[i]+1e-37 {
					t.Fatalf("level %s: element %d of %d is %v, want %v", Level(), i, n, v[i], want[i])
				}
			}
			if math.Abs(float64(got)-sum) > 1e-5*sum {
				t.Fatalf("level %s: sum of %d is %v, want %v", Level(), n, got, sum)
			}
		}
	})
}

func TestExpSum_MaximumAtAnyPosition(t *testing.T) {
	atEachLevel(t, func(t *testing.T) {
		for _, n := range []int{1, 2, 8, 16, 19, 40} {
			for at := range n {
				v := make([]float32, n)
				for i := range v {
					v[i] = -5000 - float32(i)
				}
				v[at] = -1000
				if sum := ExpSum(v, 1); sum != 1 || v[at] != 1 {
					t.Fatalf("level %s: with the greatest of %d at %d the sum is %v", Level(), n, at, sum)
				}
			}
		}
	})
}

func TestExpSum_VeryNegativeValues(t *testing.T) {
	atEachLevel(t, func(t *testing.T) {
		v := make([]float32, 40)
		for i := range v {
			v[i] = -1000 * float32(i)
		}
		if sum := ExpSum(v, 1); sum != 1 || v[0] != 1 || v[1] != 0 || v[39] != 0 {
			t.Fatalf("level %s: sum %v of %v", Level(), sum, v)
		}
	})
}

func TestGELU_Accuracy(t *testing.T) {
	atEachLevel(t, func(t *testing.T) {
		for _, n := range []int{3, 16, 2001} {
			v := make([]float32, n)
			for i := range v {
				v[i] = (float32(i) - float32(n)/2) / 100
			}
			x := append([]float32(nil), v...)
			GELU(v)
			for i := range v {
				want := float64(x[i]) * 0.5 * (1 + math.Erf(float64(x[i])/math.Sqrt2))
				if math.Abs(float64(v[i])-want) > 1e-6*math.Abs(float64(x[i])) {
					t.Fatalf("level %s: GELU(%v) = %v, want %v", Level(), x[i], v[i], want)
				}
			}
		}
	})
}

func BenchmarkActivation(b *testing.B) {
	values, v := make([]float32, 1536), make([]float32, 1536)
	for i := range values {
		values[i] = float32(i-768) / 200
	}
	kernels := map[string]func(){
		"gelu": func() { GELU(v) },
		"exp":  func() { ExpSum(v, 1) },
	}
	for name, kernel := range kernels {
		atEachLevel(b, func(b *testing.B) {
			b.Run(name+"/"+Level(), func(b *testing.B) {
				b.SetBytes(int64(4 * len(v)))
				for b.Loop() {
					copy(v, values) // a second GELU of the same values soon means subnormals
					kernel()
				}
			})
		})
	}
}
