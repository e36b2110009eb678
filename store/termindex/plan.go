package termindex

import (
	"cmp"
	"slices"
)

// atOnce is how many segments are merged together. Each costs the one who reads it a running query with its pages, so that memory
// would else grow with the archive.
const atOnce = 256

// Plan says which segments to merge next, given their sizes in bytes: a group of two or more indices into sizes, ascending; nil when
// there is nothing to do. Whoever has merged it plans again.
//
// After the last merge every segment is at least as large as all smaller ones together. So there are at most 1 + log₂(total/smallest)
// of them, and a byte is rewritten at most about that often over an archive's life: each time, what it stands in has doubled. Where
// more segments than atOnce are due, a byte is rewritten once more for each power of atOnce.
func Plan(sizes []int64) []int {
	order := make([]int, len(sizes))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(sizes[a], sizes[b]) })
	due := 0
	var smaller int64
	for i, at := range order {
		if i > 0 && sizes[at] < smaller {
			due = i + 1
		}
		smaller += sizes[at]
	}
	if due < 2 {
		return nil
	}
	group := order[:first(due)]
	slices.Sort(group)
	return group
}

// first is how many of n segments, the smallest, to merge first, so that all later merges are of as many as may be: as in a Huffman
// code of more than two symbols, that rewrites the least.
func first(n int) int {
	if n <= atOnce {
		return n
	}
	return 2 + (n-2)%(atOnce-1)
}
