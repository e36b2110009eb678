package retrieval

import (
	"context"
	"math"
	"slices"

	"lens/store"
)

// Every turn is somewhat near to every query, so the nearest are no matches just for being nearest: of a query that the archive knows
// nothing about they are as near as any. How near that is, a sample of the archive tells, for each query anew: a vector stands out when its
// cosine lies outliers deviations above the median of the sample. Median and MAD are not moved by the turns that do belong to the query
// (Leys et al., Detecting outliers, 2013, who recommend between 2 and 3 deviations).

const (
	sampled      = 200    // vectors, evenly spaced over the archive
	leastSampled = 50     // fewer tell nothing, and then everything stands out
	outliers     = 3      // deviations above the median
	madToSigma   = 1.4826 // MAD to standard deviation, for a normal distribution
)

// noise returns the cosine with the query's vector from which on a vector stands out from the archive; −1 when that cannot be told.
func (e *Engine) noise(ctx context.Context, f *found) (float64, error) {
	cosines, err := e.source.Similarities(ctx, f.by.vector, f.sample)
	if err != nil {
		return 0, err
	}
	cosines = slices.DeleteFunc(cosines, math.IsNaN)
	if len(cosines) < leastSampled {
		return -1, nil
	}
	middle := median(cosines)
	for i, c := range cosines {
		cosines[i] = math.Abs(c - middle)
	}
	return middle + outliers*madToSigma*median(cosines), nil
}

// median sorts values and returns the one in the middle, the upper of two.
func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// sampleOf returns turns evenly spaced over those of a catalog that can have a vector.
func sampleOf(c *store.Catalog, embeddable int) []store.Ord {
	sample := make([]store.Ord, 0, sampled)
	seen, next := 0, 0
	for row, flags := range c.Flags {
		if flags&store.FlagOnPath == 0 || flags&store.FlagEmbeddable == 0 {
			continue
		}
		if seen == next {
			sample = append(sample, c.Ord[row])
			next = len(sample) * embeddable / sampled
			next = max(next, seen+1)
		}
		seen++
	}
	return sample
}
