package postgres

import (
	"lens/internal/lru"
	"lens/internal/simd"
	"lens/store"
)

// vectorCache keeps the halves of recently used vectors by turn: fetching one costs ten times as much as comparing
// it, and successive searches meet the same turns as a window moves or a query is refined. A cache is valid for one
// generation until one of its vectors is replaced or removed.
type vectorCache = lru.Cache[store.Ord, []uint16]

// maxCachedBytes is the size of eight thousand vectors of 3,072 dimensions.
const maxCachedBytes = 48 << 20

func newVectorCache() *vectorCache {
	return &vectorCache{Limit: maxCachedBytes, Weight: func(halves []uint16) int { return 2 * len(halves) }}
}

// similarity returns the inner product of query with halves, as store.Dot computes it.
func similarity(query []float32, halves []uint16) float64 {
	var out [1]float64
	simd.DotHalfRows64(out[:], query, halves)
	return out[0]
}
