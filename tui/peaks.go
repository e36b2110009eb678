package tui

// Places that are worth a jump in a row of counts. All are pure; where there is none, from is returned.

// nextFilled returns the nearest index after from (before it, for step -1) with a count.
func nextFilled(counts []int, from, step int) int {
	for i := from + step; i >= 0 && i < len(counts); i += step {
		if counts[i] > 0 {
			return i
		}
	}
	return from
}

// nextPeak returns the nearest index after from (before it, for step -1) that is higher than what surrounds it. Of a plateau the first
// one counts.
func nextPeak(counts []int, from, step int) int {
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
