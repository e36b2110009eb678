package quality

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
)

// depth is how many entries of a list count.
const depth = 10

// figures are means over questions, of binary relevance.
type figures struct {
	questions   int
	r1, r5, r10 float64 // share of the relevant among the first 1, 5, 10
	ndcg        float64 // at 10
	reciprocal  float64 // of the rank of the first relevant one, at 10: MRR

	each [][3]float64    // by question: its share of the last three
	took []time.Duration // by question
}

// add counts one question. An id that is listed twice counts once, at its first place.
func (f *figures) add(listed []uuid.UUID, relevant map[uuid.UUID]bool) {
	f.questions++
	before := [3]float64{f.r10, f.ndcg, f.reciprocal}
	var gain, ideal float64
	seen := make(map[uuid.UUID]bool)
	for i, id := range listed[:min(depth, len(listed))] {
		if !relevant[id] || seen[id] {
			continue
		}
		if len(seen) == 0 {
			f.reciprocal += 1 / float64(i+1)
		}
		seen[id] = true
		share := 1 / float64(len(relevant))
		if i < 1 {
			f.r1 += share
		}
		if i < 5 {
			f.r5 += share
		}
		f.r10 += share
		gain += discount(i)
	}
	for i := range min(depth, len(relevant)) {
		ideal += discount(i)
	}
	f.ndcg += gain / ideal
	f.each = append(f.each, [3]float64{f.r10 - before[0], f.ndcg - before[1], f.reciprocal - before[2]})
}

// intervals returns R@10, nDCG@10 and MRR@10 with their 95 % intervals: a bootstrap over the questions.
func (f figures) intervals() string {
	const samples = 1000
	random := rand.New(rand.NewPCG(1, 2))
	var means [3][]float64
	for range samples {
		var sum [3]float64
		for range f.each {
			for i, x := range f.each[random.IntN(len(f.each))] {
				sum[i] += x
			}
		}
		for i := range means {
			means[i] = append(means[i], sum[i]/float64(len(f.each)))
		}
	}
	var all strings.Builder
	for i, mean := range []float64{f.r10, f.ndcg, f.reciprocal} {
		slices.Sort(means[i])
		fmt.Fprintf(&all, "%.4f [%.4f, %.4f]%*s", mean, means[i][samples/40], means[i][samples-samples/40-1], 1, "")
	}
	return all.String()
}

// median returns the middle of the times, in milliseconds.
func (f figures) median() float64 {
	took := slices.Sorted(slices.Values(f.took))
	return float64(took[len(took)/2]) / float64(time.Millisecond)
}

func discount(i int) float64 { return 1 / math.Log2(float64(i+2)) }

// mean divides by the number of questions.
func (f figures) mean() figures {
	n := float64(f.questions)
	f.r1, f.r5, f.r10, f.ndcg, f.reciprocal = f.r1/n, f.r5/n, f.r10/n, f.ndcg/n, f.reciprocal/n
	return f
}

const header = "                          questions     R@1     R@5    R@10  nDCG@10  MRR@10"

func (f figures) String() string {
	return fmt.Sprintf("%9d %7.4f %7.4f %7.4f %8.4f %7.4f", f.questions, f.r1, f.r5, f.r10, f.ndcg, f.reciprocal)
}

func TestFigures_HandCount(t *testing.T) {
	a, b, c, x, y := uuid.UUID{1}, uuid.UUID{2}, uuid.UUID{3}, uuid.UUID{8}, uuid.UUID{9}
	var f figures
	f.add([]uuid.UUID{x, a, a, y, b}, map[uuid.UUID]bool{a: true, b: true, c: true})
	f.add([]uuid.UUID{x, x, x, x, x, x, x, x, x, x, a}, map[uuid.UUID]bool{a: true})
	got := f.mean()
	ndcg := (1/math.Log2(3) + 1/math.Log2(6)) / (1 + 1/math.Log2(3) + 1/math.Log2(4)) / 2
	want := figures{questions: 2, r1: 0, r5: 1.0 / 3, r10: 1.0 / 3, ndcg: ndcg, reciprocal: 0.25}
	if got.String() != want.String() {
		t.Errorf("got %v, want %v", got, want)
	}
}
