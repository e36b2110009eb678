package timebin

import (
	"fmt"
	"sort"

	"lens/internal/errs"
)

// MaxBins is the most bins that Edges makes: hours over eleven years.
const MaxBins = 100_000

// Edges returns the n+1 edges of the n bins that cover [lo, hi): the first is Floor(lo), the last is not below
// hi. An empty range has no edges; more than MaxBins bins are an invalid *errs.Error. To cover times first to last:
// Edges(first, last+1).
func (b Bin) Edges(lo, hi int64) ([]int64, error) {
	lo, hi = clamp(lo), clamp(hi)
	if lo >= hi {
		return nil, nil
	}
	edges := []int64{b.Floor(lo)}
	for edge := edges[0]; edge < hi; {
		if len(edges) > MaxBins {
			return nil, &errs.Error{
				Code:    errs.Invalid,
				Op:      "timebin: edges",
				Message: fmt.Sprintf("this window has more than %d %s bins", MaxBins, b),
				Hint:    "choose a coarser bin or a narrower window",
			}
		}
		edge = b.Next(edge)
		edges = append(edges, edge)
	}
	return edges, nil
}

// Count returns how many of times (ascending) lie in each bin [edges[i], edges[i+1]). Times outside are not
// counted. It works in any unit that edges and times share.
func Count(edges, times []int64) []int {
	if len(edges) < 2 {
		return nil
	}
	counts := make([]int, len(edges)-1)
	from := lowerBound(times, edges[0])
	for i, end := range edges[1:] {
		n := lowerBound(times[from:], end)
		counts[i] = n
		from += n
	}
	return counts
}

// lowerBound returns how many of times lie before t. It gallops: cheap for small results, logarithmic for large
// ones.
func lowerBound(times []int64, t int64) int {
	reach := 1
	for reach < len(times) && times[reach-1] < t {
		reach *= 2
	}
	low := reach / 2
	return low + sort.Search(min(reach, len(times))-low, func(i int) bool { return times[low+i] >= t })
}

// Auto returns the finest unit of the ladder that divides first..last (both inclusive) into at most maxBins
// bins; Year when none does.
func Auto(first, last int64, maxBins int) Bin {
	first, last = clamp(first), clamp(last)
	for unit := Hour; unit < Year; unit++ {
		if bin := (Bin{unit, 1}); bin.NumBins(first, last) <= int64(maxBins) {
			return bin
		}
	}
	return Bin{Year, 1}
}

// NumBins returns how many bins cover first..last (both inclusive), without making them. It panics for auto.
func (b Bin) NumBins(first, last int64) int64 {
	if width, origin := b.width(); width > 0 {
		return floorDiv(last-origin, width) - floorDiv(first-origin, width) + 1
	}
	return floorDiv(monthOf(last), b.months()) - floorDiv(monthOf(first), b.months()) + 1
}

// Resolve returns b, or Auto(first, last, maxBins) when b is auto.
func (b Bin) Resolve(first, last int64, maxBins int) Bin {
	if b.IsAuto() {
		return Auto(first, last, maxBins)
	}
	return b
}

// IsAuto reports whether b still has to be resolved.
func (b Bin) IsAuto() bool { return b.Unit == None }
