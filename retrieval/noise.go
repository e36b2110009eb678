package retrieval

import (
	"context"
	"math"
	"slices"

	"github.com/google/uuid"

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

// noiseFloor returns the cosine from which a vector stands out from the archive for this query: −1 (all do) in an
// archive that is too small to tell; infinity (none do) while too few turns have a vector.
func (v *vectorIndex) noiseFloor(ctx context.Context, f *searchResult) (float64, error) {
	query := f.query
	if f.like != uuid.Nil {
		query = f.like.String()
	}
	if noise, known := v.noiseFloors.Get(versioned{f.Version, query}); known {
		return noise, nil
	}
	noise, err := v.computeNoiseFloor(ctx, f)
	if err != nil {
		return 0, err
	}
	return v.noiseFloors.Add(versioned{f.Version, query}, noise), nil
}

func (v *vectorIndex) computeNoiseFloor(ctx context.Context, f *searchResult) (float64, error) {
	if len(f.sample) < minSample {
		return -1, nil
	}
	cosines, err := v.cosines(ctx, f, f.sample)
	if err == nil && len(cosines) < minSample {
		cosines, err = v.cosines(ctx, f, sampleOf(f.Catalog, f.embeddable, largeSampleSize))
	}
	switch {
	case err != nil:
		return 0, err
	case len(cosines) < minSample: // the first few vectors of many: rely on words
		return math.Inf(1), nil
	}
	middle := median(cosines)
	for i, c := range cosines {
		cosines[i] = math.Abs(c - middle)
	}
	return middle + outlierDeviations*madToSigma*median(cosines), nil
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

// sampleOf returns at most size turns, evenly spaced over the embeddable turns of a catalog.
func sampleOf(c *store.Catalog, embeddable, size int) []store.Ord {
	sample := make([]store.Ord, 0, min(size, embeddable))
	seen, next := 0, 0
	for row, flags := range c.Flags {
		if flags&store.FlagOnPath == 0 || flags&store.FlagEmbeddable == 0 {
			continue
		}
		if seen == next {
			sample = append(sample, c.Ord[row])
			next = len(sample) * embeddable / size
			next = max(next, seen+1)
		}
		seen++
	}
	return sample
}
