package store

import "context"

// VectorReader is implemented by a backend that can return vectors as they are stored. Publishing an
// index needs it.
type VectorReader interface {
	// Vectors returns the Halves of the vectors of ords in the active generation, in the order of ords;
	// nil for a turn without one. errs.NotFound if no generation is active.
	Vectors(ctx context.Context, ords []Ord) ([][]byte, error)
}
