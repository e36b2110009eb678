package retrieval

import (
	"context"
	"math"
	"slices"

	"github.com/google/uuid"

	"lens/retrieval/rank"
	"lens/store"
)

// Every turn is somewhat near to every query, so the nearest turns are not matches just for being nearest: for a query
// that the archive knows nothing about they are as near as any. A sample of the archive tells how near that is, for
// each query: a vector stands out when its cosine lies outlierDeviations above the median of the sample. The turns that
// do match move neither median nor MAD (Leys et al., Detecting outliers, 2013, who recommend between 2 and 3
// deviations).

const (
	sampleSize        = 200    // turns, evenly spaced over the archive
	largeSampleSize   = 20_000 // used while few of those have a vector, because the archive is being embedded
	minSample         = 50     // with fewer everything stands out
	outlierDeviations = 3      // deviations above the median
	madToSigma        = 1.4826 // MAD to standard deviation, for a normal distribution
)

// noise is how near to a query an archive is that knows nothing about it.
type noise struct {
	rank.Spread

	// floor is the cosine from which a vector stands out: −1 (all do) in an archive that is too small to tell, infinity
	// (none do) while too few turns have a vector.
	floor float64

	nearest float64 // to the turn of a Like request: the greatest cosine of one with another text, wherever it is
}

// noise returns that of the query.
func (v *vectorIndex) noise(ctx context.Context, f *searchResult) (noise, error) {
	query := f.query
	if f.like != uuid.Nil {
		query = f.like.String()
	}
	if n, known := v.noises.Get(versioned{f.Version, query}); known {
		return n, nil
	}
	n, err := v.measureNoise(ctx, f)
	if err != nil {
		return noise{}, err
	}
	return v.noises.Add(versioned{f.Version, query}, n), nil
}

func (v *vectorIndex) measureNoise(ctx context.Context, f *searchResult) (noise, error) {
	cosines, err := v.cosines(ctx, f, f.sample)
	if err == nil && len(f.sample) >= minSample && len(cosines) < minSample {
		cosines, err = v.cosines(ctx, f, sampleOf(f.Catalog, largeSampleSize, f.isOnPath))
	}
	if err != nil {
		return noise{}, err
	}
	n := noise{Spread: spreadOf(cosines), floor: -1}
	switch {
	case len(f.sample) < minSample:
	case len(cosines) < minSample: // the first few vectors of many: rely on words
		n.floor = math.Inf(1)
	default:
		n.floor = n.Median + outlierDeviations*n.Deviation
	}
	if f.like != uuid.Nil {
		n.nearest, err = v.nearestOther(ctx, f)
	}
	return n, err
}

// A turn with the text of another has its vector, but for rounding. Of more copies than these, the last is taken for
// another text.
const (
	sameText   = 0.9995
	mostCopies = 32
)

// nearestOther returns the greatest cosine that a turn with another text has to that of a Like request.
func (v *vectorIndex) nearestOther(ctx context.Context, f *searchResult) (float64, error) {
	near, err := v.nearestIn(ctx, f, store.Filter{}, mostCopies+1)
	if err != nil || len(near) == 0 {
		return 0, err
	}
	for _, c := range near {
		if c.Similarity < sameText {
			return c.Similarity, nil
		}
	}
	return near[len(near)-1].Similarity, nil
}

// spreadOf returns the median of cosines and how far from it they lie. It reuses their memory.
func spreadOf(cosines []float64) rank.Spread {
	if len(cosines) == 0 {
		return rank.Spread{}
	}
	middle := median(cosines)
	for i, c := range cosines {
		cosines[i] = math.Abs(c - middle)
	}
	return rank.Spread{Median: middle, Deviation: madToSigma * median(cosines)}
}

// cosines returns the cosines of those turns that have a vector.
func (v *vectorIndex) cosines(ctx context.Context, f *searchResult, turns []store.Ord) ([]float64, error) {
	cosines, err := v.searcher().SimilaritiesAt(ctx, f.Version, f.plan.vector, turns)
	return slices.DeleteFunc(cosines, math.IsNaN), err
}

// median sorts values and returns the middle one, the upper of two.
func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// sampleOf returns at most size turns, evenly spaced over the embeddable turns of a catalog that pass.
func sampleOf(c *store.Catalog, size int, passes func(row int) bool) []store.Ord {
	var all []store.Ord
	for row, flags := range c.Flags {
		if flags&store.FlagEmbeddable != 0 && passes(row) {
			all = append(all, c.Ord[row])
		}
	}
	if len(all) <= size {
		return all
	}
	sample := make([]store.Ord, size)
	for i := range sample {
		sample[i] = all[i*len(all)/size]
	}
	return sample
}
