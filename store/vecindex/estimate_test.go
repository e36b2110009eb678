package vecindex

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"lens/store"
	"lens/store/vecindex/vectest"
)

// The expected error of an estimate at a right angle, for v and u of length one, times the root of the
// dimension: for normally distributed values a sign keeps all but 0.363 of the square, sixteen steps
// all but 0.0115 (Max, 1960), and the estimate divides by what is kept. In addition, queries of signs
// are rounded to steps, and those of steps to bytes.
func TestEstimate_ErrorMatchesTheory(t *testing.T) {
	for _, c := range []struct {
		dim         int
		first, most float64 // by what is read of every row, and by all of the code
	}{
		{384, 0.12, 0.12},
		{minSignsDim, 0.80, 0.80},
		{2 * minSignsDim, math.Sqrt(2 * (0.64 + 0.5)), 0.80}, // half of the dimensions are a sample of all
	} {
		x, source := inMemory(t, c.dim, exactLimit+1)
		var all shortlist
		estimates := make([]float64, x.Len())
		var first, most, mean float64
		n := 0
		for range 3 {
			query := source.Query()
			p := x.plane.probe(query)
			all.reset(x.Len())
			must(t, p.estimate(RowRange{Hi: x.Len()}, &all))
			copy(estimates, similarities(nil, all.found))
			must(t, p.refine(all.found))
			for row, c := range all.found {
				similarity, err := x.Similarity(query, row)
				must(t, err)
				first += math.Pow(estimates[row]-similarity, 2)
				most += math.Pow(c.similarity-similarity, 2)
				mean += c.similarity - similarity
				n++
			}
		}
		scale := math.Sqrt(float64(c.dim))
		first, most, mean = scale*math.Sqrt(first/float64(n)), scale*math.Sqrt(most/float64(n)), scale*mean/float64(n)
		t.Logf("%d dimensions: error of the first %.3f, of all %.3f, mean %.4f", c.dim, first, most, mean)
		if first > c.first || most > c.most || math.Abs(mean) > most/4 {
			t.Errorf("%d dimensions: error of the first %.3f, want %.3f, of all %.3f, want %.3f, mean %.4f", c.dim, first, c.first, most, c.most, mean)
		}
	}
}

func TestShortlist_HoldsTheBest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.OneOf(rapid.Float32Range(-3, 3), rapid.SampledFrom([]float32{0.5, 0.25, -1.25, 1.25})), 1, 400).Draw(t, "estimates")
		wanted, split := rapid.IntRange(1, 50).Draw(t, "wanted"), rapid.IntRange(0, len(values)).Draw(t, "split")
		var all shortlist
		all.reset(wanted)
		for lo, hi := 0, split; ; lo, hi = split, len(values) { // as two goroutines would
			var part shortlist
			part.reset(wanted)
			for from := lo; from < hi; from += 32 {
				part.add(from, values[from:min(from+32, hi)], nil)
			}
			all.merge(&part)
			if hi == len(values) {
				break
			}
		}
		all.cut()
		sorted := slices.SortedFunc(slices.Values(values), func(a, b float32) int { return cmp.Compare(b, a) })
		worst, last := sorted[min(wanted, len(sorted))-1], -1
		got := map[int32]bool{}
		for _, c := range all.found {
			if got[c.row] || float32(c.similarity) != values[c.row] {
				t.Fatalf("row %d has %g twice or not at all", c.row, c.similarity)
			}
			if int(c.row) < last {
				t.Fatal("rows are out of order")
			}
			got[c.row], last = true, int(c.row)
			if d := worst - values[c.row]; binOf(worst) > 0 && binOf(values[c.row]) < bins-1 && d > 2.0/perUnit {
				t.Errorf("%g is kept though %d are above %g", values[c.row], wanted, worst)
			}
		}
		for row, e := range values {
			if e >= worst && !got[int32(row)] || len(got) < min(wanted, len(values)) {
				t.Fatalf("%g is missing, %d kept", e, len(got))
			}
		}
	})
}

// knownEstimates is a probe whose estimates are given.
type knownEstimates []float32

func (knownEstimates) wanted(k, _ int) int      { return k }
func (knownEstimates) refine([]candidate) error { return nil }
func (e knownEstimates) estimate(w RowRange, best *shortlist) error {
	for from, to := range w.Keep.runs(w.Lo, w.Hi) {
		for ; from < to; from += maxAdded {
			best.add(from, e[from:min(from+maxAdded, to)], nil)
		}
	}
	return nil
}

// The best rows lie everywhere, only where the sample is taken, or only elsewhere. They are counted in parts where there
// is more than one processor.
func TestShortlistRows_SampleChangesNothing(t *testing.T) {
	const wanted, rows = 100, 3 * minEstimateRows
	r := rand.New(rand.NewPCG(3, 4))
	for _, best := range []string{"everywhere", "sampled", "elsewhere"} {
		for lo := range 3 {
			estimates, w := make(knownEstimates, rows), RowRange{Lo: 50 * lo, Hi: rows - lo}
			for i := range estimates {
				estimates[i] = float32(r.NormFloat64() / 8)
				sampled := (i-w.Lo/32*32)/32%sampledShare == 0
				if best == "sampled" && sampled || best == "elsewhere" && !sampled {
					estimates[i] += 0.5
				}
			}
			if lo == 2 {
				w.Keep = NewSet(rows)
				for row := range rows {
					if r.IntN(4) > 0 {
						w.Keep.Add(row)
					}
				}
			}
			var got, counted shortlist
			got.reset(wanted)
			must(t, shortlistRows(t.Context(), estimates, w, w.Keep.count(w.Lo, w.Hi), &got))
			counted.reset(wanted)
			must(t, estimates.estimate(w, &counted))
			counted.cut()
			byRow := func(a, b candidate) int { return cmp.Compare(a.row, b.row) }
			slices.SortFunc(got.found, byRow)
			if !slices.Equal(got.found, counted.found) || len(got.found) < wanted {
				t.Errorf("%s, from row %d: %d rows, %d without a sample", best, w.Lo, len(got.found), len(counted.found))
			}
		}
	}
}

func TestShortlist_DropsNaN(t *testing.T) {
	var l shortlist
	l.reset(1)
	l.add(0, []float32{float32(math.NaN()), 0.5, float32(math.Inf(-1)), float32(math.Inf(1))}, nil)
	l.cut()
	for _, c := range l.found {
		if c.row == 0 {
			t.Error("no number is on the list")
		}
	}
}

// More equal vectors have the same estimate than are ranked at first; the result must hold the first
// ones in turn order.
func TestSearch_EqualVectorsByOrd(t *testing.T) {
	const rows, dim = 6000, 128
	source := vectest.New(1, dim)
	same := store.Halves(source.Next(nil))
	c := Contents{Dim: dim, Ords: make([]store.Ord, rows), Keys: make([]int64, rows)}
	for i := range c.Ords {
		c.Ords[i] = store.Ord(rows - i)
	}
	c.Rows = func(yield func([]byte, error) bool) {
		for i := range rows {
			row := same
			if i%10 == 0 {
				row = store.Halves(source.Next(nil))
			}
			if !yield(row, nil) {
				return
			}
		}
	}
	x, err := New(c)
	must(t, err)
	query := widened(t, same)
	got, err := x.Search(t.Context(), query, RowRange{Hi: rows}, 700)
	must(t, err)
	if missed := without(naive(x, query, RowRange{Hi: rows}, 700), got); len(missed) > 0 {
		t.Errorf("%d missed", len(missed))
	}
}

func widened(t *testing.T, row []byte) []float32 {
	v := make([]float32, len(row)/2)
	must(t, widen(v, row))
	unit, err := store.Unit(v)
	must(t, err)
	return unit
}

func TestBinOf_BeginsAtItsEdge(t *testing.T) {
	for bin := 1; bin < bins; bin++ {
		edge := edgeOf(bin)
		if below := math.Nextafter32(edge, -highest); binOf(edge) != bin || binOf(below) != bin-1 {
			t.Fatalf("bin %d begins at %v, which is in bin %d, after bin %d", bin, edge, binOf(edge), binOf(below))
		}
	}
}
