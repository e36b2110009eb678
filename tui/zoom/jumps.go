package zoom

// Jump targets in a row of counts. The functions are pure, and return from if there is no target.

// NextFilled returns the nearest index after from (before it, for step -1) with a count.
func NextFilled(counts []int, from, step int) int {
	for i := from + step; i >= 0 && i < len(counts); i += step {
		if counts[i] > 0 {
			return i
		}
	}
	return from
}

// NearestFilled returns the index with a count that is nearest to from.
func NearestFilled(counts []int, from int) int {
	if from < 0 || from >= len(counts) || counts[from] > 0 {
		return from
	}
	before, after := NextFilled(counts, from, -1), NextFilled(counts, from, 1)
	if after == from || before != from && from-before <= after-from {
		return before
	}
	return after
}

// Fullest returns the first index of the highest count.
func Fullest(counts []int, from int) int {
	fullest, most := from, 0
	for i, n := range counts {
		if n > most {
			fullest, most = i, n
		}
	}
	return fullest
}

// NextPeak returns the nearest local maximum after from (before it, for step -1). The first index of a plateau counts.
func NextPeak(counts []int, from, step int) int {
	for i := from + step; i >= 0 && i < len(counts); i += step {
		if isPeak(counts, i) {
			return i
		}
	}
	return from
}

func isPeak(counts []int, i int) bool {
	if counts[i] == 0 || i > 0 && counts[i-1] >= counts[i] {
		return false
	}
	for _, next := range counts[i+1:] {
		if next != counts[i] {
			return next < counts[i]
		}
	}
	return true
}
