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

// topK returns the k nearest of found in order. It reorders found.
func topK(ords []store.Ord, found []candidate, k int) []candidate {
	k = min(k, len(found))
	if k == 0 {
		return nil
	}
	compare := func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.similarity, a.similarity), cmp.Compare(ords[a.row], ords[b.row]))
	}
	selectSmallest(found, k, compare)
	slices.SortFunc(found[:k], compare)
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

// selectSmallest moves the k smallest of items to the front, 1 ≤ k ≤ len(items): Hoare's selection
// with the middle item as pivot. O(n) on average.
func selectSmallest[T any](items []T, k int, compare func(a, b T) int) {
	lo, hi := 0, len(items)-1
	for lo < hi {
		pivot := items[lo+(hi-lo)/2]
		i, j := lo, hi
		for i <= j {
			for compare(items[i], pivot) < 0 {
				i++
			}
			for compare(items[j], pivot) > 0 {
				j--
			}
			if i <= j {
				items[i], items[j] = items[j], items[i]
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
