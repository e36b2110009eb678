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
	source Source
	noises lru.Cache[versioned, noise] // of the latest queries: zooming needs them again
}

// searcher returns the source as one that searches as of a version.
func (v *vectorIndex) searcher() store.VectorSearcher {
	if source, ok := v.source.(store.VectorSearcher); ok {
		return source
	}
	return latestVectors{v.source}
}

// latestVectors searches as of the latest version.
type latestVectors struct{ source Source }

func (l latestVectors) NearestAt(
	ctx context.Context, _ int64, query []float32, f store.Filter, k int,
) ([]store.Neighbor, error) {
	return l.source.Nearest(ctx, query, f, k)
}

func (l latestVectors) SimilaritiesAt(
	ctx context.Context, _ int64, query []float32, ords []store.Ord,
) ([]float64, error) {
	return l.source.Similarities(ctx, query, ords)
}

// search returns the nearest eligible rows, and what tells those that stand out from the others.
func (v *vectorIndex) search(ctx context.Context, f *searchResult) (*rank.Vectors, error) {
	near, err := v.nearest(ctx, f, rank.Depth(f.topK))
	if err != nil {
		return nil, err
	}
	noise, err := v.noise(ctx, f)
	return &rank.Vectors{Candidates: near, Spread: noise.Spread, NoiseFloor: noise.floor}, err
}

// nearest returns the k eligible rows whose vectors are nearest to the query's.
func (v *vectorIndex) nearest(ctx context.Context, f *searchResult, k int) ([]rank.Candidate, error) {
	return v.nearestIn(ctx, f, f.filter, k)
}

func (v *vectorIndex) nearestIn(
	ctx context.Context, f *searchResult, filter store.Filter, k int,
) ([]rank.Candidate, error) {
	wanted := k
	if f.like != uuid.Nil {
		wanted++ // the turn is nearest to itself
	}
	near, err := v.searcher().NearestAt(ctx, f.Version, f.plan.vector, filter, wanted)
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
	cosines, err := v.searcher().SimilaritiesAt(ctx, f.Version, f.plan.vector, ords)
	if err != nil {
		cosines = make([]float64, len(rows))
		for i := range cosines {
			cosines[i] = math.NaN()
		}
	}
	return cosines, err
}
