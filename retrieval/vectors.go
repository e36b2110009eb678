package retrieval

import (
	"context"
	"math"

	"github.com/google/uuid"

	"lens/internal/lru"
	"lens/retrieval/rank"
	"lens/store"
)

// vectorIndex finds turns by their vectors. It caches what stands out from the archive.
type vectorIndex struct {
	source      Source
	noiseFloors lru.Cache[versioned, float64] // of the latest queries: zooming needs them again
}

// nearest returns the k eligible rows whose vectors are nearest to the query's.
func (v *vectorIndex) nearest(ctx context.Context, f *searchResult, k int) ([]rank.Candidate, error) {
	wanted := k
	if f.like != uuid.Nil {
		wanted++ // the turn is nearest to itself
	}
	near, err := v.source.Nearest(ctx, f.plan.vector, f.filter, wanted)
	if err != nil {
		return nil, err
	}
	rows := make([]rank.Candidate, 0, len(near))
	for _, n := range near {
		if row, alive := f.Row(n.Ord); alive && !f.isItself(int32(row)) {
			rows = append(rows, rank.Candidate{Row: int32(row), Similarity: n.Similarity})
		}
	}
	return rows[:min(k, len(rows))], nil
}

// similarities returns the cosines of rows, NaN for those without a vector, and for all when the source fails.
func (v *vectorIndex) similarities(ctx context.Context, f *searchResult, rows []int32) ([]float64, error) {
	ords := make([]store.Ord, len(rows))
	for i, row := range rows {
		ords[i] = f.Ord[row]
	}
	cosines, err := v.source.Similarities(ctx, f.plan.vector, ords)
	if err != nil {
		cosines = make([]float64, len(rows))
		for i := range cosines {
			cosines[i] = math.NaN()
		}
	}
	return cosines, err
}
