package termindex

import (
	"cmp"
	"slices"
)

// maxMergeInputs is the maximum number of segments in one merge. Each is read by its own running query
// with its pages; without a limit, memory would grow with the archive.
const maxMergeInputs = 256

// Plan returns the segments to merge next, given their sizes in bytes: two or more indices into sizes,
// ascending; nil if there is nothing to do. Call it again after each merge.
//
// After the last merge every segment is at least as large as all smaller ones together. So there are
// at most 1 + log₂(total/smallest) segments, and a byte is rewritten about that often at most over an
// archive's life: its segment doubles each time. If more than maxMergeInputs segments are due, a byte
// is rewritten once more for each power of maxMergeInputs.
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
	group := order[:mergeCount(due)]
	slices.Sort(group)
	return group
}

// Due returns the segments that Plan selects, nil if there is nothing to do.
func Due[S any](segments []S, size func(S) int64) (due []S) {
	sizes := make([]int64, len(segments))
	for i, s := range segments {
		sizes[i] = size(s)
	}
	for _, i := range Plan(sizes) {
		due = append(due, segments[i])
	}
	return due
}

// mergeCount returns how many of n segments, the smallest, to merge first, so that all later merges
// have as many inputs as possible. As in a Huffman code of more than two symbols, that minimizes
// rewriting.
func mergeCount(n int) int {
	if n <= maxMergeInputs {
		return n
	}
	return 2 + (n-2)%(maxMergeInputs-1)
}
