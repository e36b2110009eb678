package store

import "context"

// VectorIndexer is implemented by a backend whose Nearest can use an index that is best built over
// many vectors at once. Nearest is exact without that index, only slower, so building it may fail, be
// interrupted and be tried again at any time.
type VectorIndexer interface {
	// IndexVectors builds the index of the active generation if it is missing and there are enough vectors
	// to be worth it. Reads go on meanwhile. progress, unless nil, is called now and then with the numbers
	// of indexed and of all vectors. Errors: errs.Unavailable (interrupted, no room, another process is
	// writing); their messages say that search works without the index.
	IndexVectors(ctx context.Context, progress func(done, total int)) error

	// UnindexedVectors returns the number of vectors that IndexVectors would index; 0 if the index exists
	// or is not worth building.
	UnindexedVectors(ctx context.Context) (int, error)
}
