package postgres

import (
	"sync"

	"lens/internal/simd"
	"lens/store"
)

// vectorCache keeps vectors that were fetched, the latest used: to fetch one costs ten times what comparing it does, and the searches of
// one archive meet the same turns again, as a window moves or a query is refined. It holds for one generation, as long as nothing of it is
// replaced or removed. Safe for concurrent use.
type vectorCache struct {
	mu            sync.Mutex
	recent, older map[store.Ord][]uint16 // the halves of turns; what is full becomes the older
	bytes         int                    // in recent
}

// maxCachedBytes is how many bytes each of the two may hold: four thousand vectors of 3072 dimensions.
const maxCachedBytes = 24 << 20

// get returns the halves of a turn's vector, nil when it is not kept.
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

// put keeps the halves of a turn's vector, which nobody changes any more.
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
