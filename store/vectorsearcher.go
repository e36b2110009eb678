package store

import "context"

// VectorSearcher searches vectors as of a version of the archive that its caller has seen, or of a later one. Reader's
// Nearest and Similarities have to look which is the latest, which takes SQLite a transaction each.
type VectorSearcher interface {
	// NearestAt is Reader.Nearest as of a version that the archive had, or a later one.
	NearestAt(ctx context.Context, version int64, query []float32, f Filter, k int) ([]Neighbor, error)

	// SimilaritiesAt is Reader.Similarities as of a version that the archive had, or a later one.
	SimilaritiesAt(ctx context.Context, version int64, query []float32, ords []Ord) ([]float64, error)
}
