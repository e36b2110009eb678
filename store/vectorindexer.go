package store

import "context"

// VectorIndexer is what a backend offers besides when its Nearest can use an index that is best built over many vectors at once. Without
// that index Nearest answers exactly, only more slowly, so building it may fail, be interrupted and be tried again at any time.
type VectorIndexer interface {
	// IndexVectors builds the index of the active generation where it is missing and there are vectors enough for it to pay, and does
	// nothing otherwise. Others may read meanwhile. tell, unless nil, hears now and then how many vectors of how many are in it.
	// Errors: unavailable (interrupted, no room, another process is writing); they say that search works without.
	IndexVectors(ctx context.Context, tell func(done, total int)) error

	// UnindexedVectors returns how many vectors IndexVectors would build an index of; 0 where it is there, or would not pay.
	UnindexedVectors(ctx context.Context) (int, error)
}
