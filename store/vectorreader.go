package store

import "context"

// VectorReader is what a backend offers besides when it gives out vectors as they are stored. Who needs them, to publish them, does
// without archives whose backend does not.
type VectorReader interface {
	// Vectors returns the Halves of the vectors of ords in the active generation, in the order of ords; nil for a turn without one.
	// CodeNotFound when no generation is active.
	Vectors(ctx context.Context, ords []Ord) ([][]byte, error)
}
