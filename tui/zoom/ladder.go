package zoom

import (
	"fmt"

	"lens/retrieval/timebin"
	"lens/tui/theme"
)

// ladder are the bins to choose from, from the finest to the coarsest.
var ladder = []timebin.Bin{
	{Unit: timebin.Minute, N: 5},
	{Unit: timebin.Minute, N: 15},
	{Unit: timebin.Hour, N: 1},
	{Unit: timebin.Hour, N: 3},
	{Unit: timebin.Hour, N: 6},
	{Unit: timebin.Day, N: 1},
	{Unit: timebin.Week, N: 1},
	{Unit: timebin.Week, N: 2},
	{Unit: timebin.Month, N: 1},
	{Unit: timebin.Month, N: 2},
	{Unit: timebin.Quarter, N: 1},
	{Unit: timebin.Month, N: 6},
	{Unit: timebin.Year, N: 1},
	{Unit: timebin.Year, N: 2},
	{Unit: timebin.Year, N: 5},
}

// columnsPerBar is how many columns a bar has at least, with the gap behind it, in automatic bins. Narrower bars melt
// into a wall.
const columnsPerBar = 2

// auto returns the finest bins of the ladder with room between them.
func (z Zoom) auto() timebin.Bin {
	for _, bin := range ladder {
		if bin.NumBins(z.From, z.To-1) <= int64(max(1, z.Columns/columnsPerBar)) {
			return bin
		}
	}
	return ladder[len(ladder)-1]
}

// length returns the approximate length of a bin, in seconds, to compare it with others.
func length(bin timebin.Bin) int64 { return bin.Next(0) - bin.Floor(0) }

// Finer selects the next finer bins, unless they exceed the columns.
func (z Zoom) Finer() (Zoom, string) {
	if z.IsEmpty() {
		return z, "No dates"
	}
	var finer timebin.Bin
	for _, bin := range ladder {
		if length(bin) < length(z.Unit()) {
			finer = bin
		}
	}
	if finer.IsAuto() {
		return z, "Bins of 5 minutes are the finest"
	}
	switch n, countable := z.count(finer); {
	case !countable:
		most := theme.Number(timebin.MaxBins)
		return z, fmt.Sprintf("Bins of %s need over %s columns. Zoom in first", withArticle(finer), most)
	case n > z.Columns:
		return z, fmt.Sprintf("Bins of %s need %s columns. Zoom in first", withArticle(finer), theme.Number(n))
	}
	z.Bin = finer
	return z.Idle(), ""
}

// withArticle names the length of a bin: "an hour", "a month", "2 months".
func withArticle(bin timebin.Bin) string {
	switch {
	case bin.Unit == timebin.Hour && bin.N == 1:
		return "an hour"
	case bin.N == 1 || bin.Words() == "half-year":
		return "a " + bin.Words()
	}
	return bin.Words()
}

// Coarser selects the next coarser bins.
func (z Zoom) Coarser() (Zoom, string) {
	if z.IsEmpty() {
		return z, "No dates"
	}
	for _, bin := range ladder {
		if length(bin) > length(z.Unit()) {
			z.Bin = bin
			return z.Idle(), ""
		}
	}
	return z, "Bins of 5 years are the coarsest"
}

// Auto selects the finest bins with room between them, now and after later changes.
func (z Zoom) Auto() Zoom {
	z.Bin = timebin.Bin{}
	return z.Idle()
}
