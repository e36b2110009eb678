package retrieval

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lens/store"
)

func TestSampleOf_EvenlySpaced(t *testing.T) {
	for _, n := range []int{0, 1, 49, 199, 200, 201, 1000, 12345} {
		c := &store.Catalog{}
		for i := range 2 * n { // every other turn has no vector
			flags := store.FlagOnPath
			if i%2 == 0 {
				flags |= store.FlagEmbeddable
			}
			c.Flags, c.Ord = append(c.Flags, flags), append(c.Ord, store.Ord(i))
		}
		sample := sampleOf(c, sampleSize, func(int) bool { return true })
		if len(sample) != min(n, sampleSize) || !slices.IsSorted(sample) {
			t.Errorf("%d of %d turns are sampled", len(sample), n)
		}
		if n > sampleSize && (sample[0] != 0 || int(sample[len(sample)-1]) < 2*n-2*(n/sampleSize+2)) {
			t.Errorf("of %d turns the sample reaches from %d to %d", n, sample[0], sample[len(sample)-1])
		}
	}
}

func TestMedian(t *testing.T) {
	for want, values := range map[float64][]float64{3: {3}, 4: {9, 4, 1}, 5: {5, 2, 1, 8}} {
		if got := median(values); got != want {
			t.Errorf("the median of %v is %v, want %v", values, got, want)
		}
	}
}

// cosines is a source that knows nothing but similarities.
type cosines struct {
	Source
	of func(ord store.Ord) float64
}

func (c cosines) Similarities(_ context.Context, _ []float32, ords []store.Ord) ([]float64, error) {
	var out []float64
	for _, ord := range ords {
		out = append(out, c.of(ord))
	}
	return out, nil
}

// Matching turns do not hide themselves by their number: up to a third of the archive moves the floor only a little.
func TestNoise_IgnoresOutliers(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	background := make([]float64, 1000)
	for i := range background {
		background[i] = .2 + .05*random.NormFloat64()
	}
	bound := func(share float64) float64 {
		f := &searchResult{snapshot: &snapshot{Catalog: new(store.Catalog), sample: make([]store.Ord, sampleSize)}}
		for i := range f.sample {
			f.sample[i] = store.Ord(i * 5)
		}
		vectors := &vectorIndex{source: cosines{of: func(ord store.Ord) float64 {
			if float64(int(ord)%100) < 100*share {
				return .8
			}
			return background[ord]
		}}}
		n, err := vectors.measureNoise(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		return n.floor
	}
	pure := bound(0)
	if math.Abs(pure-.35) > .05 {
		t.Errorf("floor of a normal distribution is %.3f, want three deviations above the median, .350", pure)
	}
	for _, share := range []float64{.05, .15, .30} {
		if got := bound(share); got < pure-.05 || got > .6 {
			t.Errorf("with %.0f %% matching turns the floor is %.3f, without %.3f", 100*share, got, pure)
		}
	}
}

func TestNoise_SmallArchive(t *testing.T) {
	f := &searchResult{snapshot: &snapshot{Catalog: new(store.Catalog), sample: make([]store.Ord, minSample-1)}}
	vectors := &vectorIndex{source: cosines{of: func(store.Ord) float64 { return .5 }}}
	if n, err := vectors.measureNoise(t.Context(), f); err != nil || n.floor != -1 {
		t.Errorf("noise is %+v (%v)", n, err)
	}
}

// While an archive is being embedded, only the newest turns have vectors: too few, or enough in a larger sample.
func TestNoise_PartlyEmbeddedArchive(t *testing.T) {
	const turns = 1000
	rows := make([]store.CatalogRow, turns)
	for i := range rows {
		rows[i] = store.CatalogRow{Ord: store.Ord(i), Time: int64(i), Flags: store.FlagOnPath | store.FlagEmbeddable}
	}
	c := store.NewCatalog(1, rows)
	for with, want := range map[int]float64{0: math.Inf(1), minSample - 1: math.Inf(1), minSample: .5, turns: .5} {
		f := &searchResult{snapshot: newSnapshot(c, nil)}
		vectors := &vectorIndex{source: cosines{of: func(ord store.Ord) float64 {
			if int(ord) < turns-with {
				return math.NaN()
			}
			return .5
		}}}
		if n, err := vectors.measureNoise(t.Context(), f); err != nil || n.floor != want {
			t.Errorf("with %d vectors the noise floor is %v (%v), want %v", with, n.floor, err, want)
		}
	}
}

func TestNoise_Cached(t *testing.T) {
	asked := 0
	vectors := &vectorIndex{source: cosines{of: func(store.Ord) float64 { asked++; return .5 }}}
	noise := func(version int64, query string) {
		f := &searchResult{snapshot: &snapshot{Catalog: &store.Catalog{Version: version}, sample: make([]store.Ord, minSample)}}
		f.query = query
		if got, err := vectors.noise(t.Context(), f); err != nil || got.Median != .5 {
			t.Errorf("noise is %+v (%v)", got, err)
		}
	}
	want := 0
	ask := func(times int, version int64, query string) {
		noise(version, query)
		if want += times; asked != want*minSample {
			t.Errorf("version %d, %s: requested %d cosines, want %d", version, query, asked, want*minSample)
		}
	}
	ask(1, 1, "a")
	ask(0, 1, "a")
	ask(1, 1, "b")
	ask(1, 2, "a")
	for i := range 200 {
		ask(1, 2, fmt.Sprint(i))
	}
	ask(1, 2, "a")
}
