package termindex

import (
	"cmp"
	"slices"
)

// Plan says which segments to merge, given their sizes in bytes: groups of two or more indices into sizes, disjoint and ascending;
// nil when there is nothing to do.
//
// After the merge every segment is at least as large as all smaller ones together. So there are at most 1 + log₂(total/smallest)
// of them, and a byte is rewritten at most about that often over an archive's life: each time, what it stands in has doubled.
func Plan(sizes []int64) [][]int {
	order := make([]int, len(sizes))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(sizes[a], sizes[b]) })
	merged := 0
	var smaller int64
	for i, at := range order {
		if i > 0 && sizes[at] < smaller {
			merged = i + 1
		}
		smaller += sizes[at]
	}
	if merged < 2 {
		return nil
	}
	group := order[:merged]
	slices.Sort(group)
	return [][]int{group}
}
