package vecindex

import (
	"cmp"
	"slices"

	"lens/store"
)

// candidate is a row that may belong to the result.
type candidate struct {
	row        int32
	similarity float64
}

// CompareNeighbors orders neighbors by descending similarity, ties by ascending Ord. Every list of
// neighbors has this order.
func CompareNeighbors(a, b store.Neighbor) int {
	return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(a.Ord, b.Ord))
}

// nearer orders candidates: by descending similarity, ties by ascending ord.
func nearer(ords []store.Ord, a, b candidate) bool {
	return a.similarity > b.similarity || a.similarity == b.similarity && ords[a.row] < ords[b.row]
}

// topK returns the k nearest of found in order. It reorders found.
func topK(ords []store.Ord, found []candidate, k int) []candidate {
	k = min(k, len(found))
	if k == 0 {
		return nil
	}
	selectNearest(ords, found, k)
	slices.SortFunc(found[:k], func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.similarity, a.similarity), cmp.Compare(ords[a.row], ords[b.row]))
	})
	return found[:k]
}

// neighbors converts the first k of found.
func neighbors(ords []store.Ord, found []candidate, k int) []store.Neighbor {
	nearest := make([]store.Neighbor, min(k, len(found)))
	for i := range nearest {
		nearest[i] = store.Neighbor{Ord: ords[found[i].row], Similarity: found[i].similarity}
	}
	return nearest
}

// selectNearest moves the k nearest of found to the front, 1 ≤ k ≤ len(found): Hoare's selection with
// the middle one as pivot. O(n) on average.
func selectNearest(ords []store.Ord, found []candidate, k int) {
	lo, hi := 0, len(found)-1
	for lo < hi {
		pivot := found[lo+(hi-lo)/2]
		i, j := lo, hi
		for i <= j {
			for nearer(ords, found[i], pivot) {
				i++
			}
			for nearer(ords, pivot, found[j]) {
				j--
			}
			if i <= j {
				found[i], found[j] = found[j], found[i]
				i++
				j--
			}
		}
		switch {
		case k-1 <= j:
			hi = j
		case k-1 >= i:
			lo = i
		default:
			return
		}
	}
}
