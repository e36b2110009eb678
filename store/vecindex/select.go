package vecindex

import (
	"cmp"
	"math"
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

// selectNearest moves the k nearest of found to the front, 1 ≤ k ≤ len(found): quickselect with the middle one as
// pivot. O(n) on average.
func selectNearest(ords []store.Ord, found []candidate, k int) {
	for len(found) > 1 {
		switch n := partition(ords, found); {
		case k-1 < n:
			found = found[:n]
		case k-1 > n:
			found, k = found[n+1:], k-n-1
		default:
			return
		}
	}
}

// partition moves those of found that are nearer than the middle one to the front, then that one, and returns their
// number.
func partition(ords []store.Ord, found []candidate) (n int) {
	last := len(found) - 1
	found[last/2], found[last] = found[last], found[last/2]
	pivot := found[last]
	for i, c := range found[:last] {
		found[i], found[n] = found[n], c
		// No processor can predict which are nearer: the sign of the difference needs no branch.
		n += int(math.Float64bits(pivot.similarity-c.similarity) >> 63)
		if c.similarity == pivot.similarity && ords[c.row] < ords[pivot.row] {
			n++
		}
	}
	found[n], found[last] = found[last], found[n]
	return n
}
