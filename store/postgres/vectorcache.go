package postgres

import (
	"sync"

	"lens/internal/simd"
	"lens/store"
)

// vectorCache keeps recently used vectors: fetching one costs ten times as much as comparing it, and
// successive searches meet the same turns as a window moves or a query is refined. A cache is valid
// for one generation until one of its vectors is replaced or removed. Safe for concurrent use.
type vectorCache struct {
	mu            sync.Mutex
	recent, older map[store.Ord][]uint16 // the halves by turn; a full recent map becomes older
	bytes         int                    // in recent
}

// maxCachedBytes limits each of the two maps: four thousand vectors of 3,072 dimensions.
const maxCachedBytes = 24 << 20

// get returns the halves of a turn's vector, nil if they are not cached.
func (k *vectorCache) get(ord store.Ord) []uint16 {
	k.mu.Lock()
	defer k.mu.Unlock()
	if halves := k.recent[ord]; halves != nil {
		return halves
	}
	halves := k.older[ord]
	if halves != nil {
		k.keep(ord, halves)
	}
	return halves
}

// put stores the halves of a turn's vector, which must not change afterwards.
func (k *vectorCache) put(ord store.Ord, halves []uint16) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.keep(ord, halves)
}

func (k *vectorCache) keep(ord store.Ord, halves []uint16) {
	if k.bytes += 2 * len(halves); k.recent == nil || k.bytes > maxCachedBytes {
		k.older, k.recent, k.bytes = k.recent, make(map[store.Ord][]uint16), 2*len(halves)
	}
	k.recent[ord] = halves
}

// similarity returns the inner product of query with halves, as store.Dot computes it.
func similarity(query []float32, halves []uint16) float64 {
	var out [1]float64
	simd.DotHalfRows64(out[:], query, halves)
	return out[0]
}
