package timebin

import "time"

// monthOf returns the month that t lies in, counted from January 1970.
func monthOf(t int64) int64 {
	year, month, _ := time.Unix(t, 0).UTC().Date()
	return (int64(year)-1970)*12 + int64(month) - 1
}

// startOfMonth is the inverse of monthOf.
func startOfMonth(n int64) int64 {
	year := floorDiv(n, 12)
	return time.Date(int(1970+year), time.Month(n-12*year+1), 1, 0, 0, 0, 0, time.UTC).Unix()
}

// floorDiv divides rounding down. b is above 0.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func clamp(t int64) int64 { return max(-MaxTime, min(t, MaxTime)) }
