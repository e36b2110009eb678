package demo

import (
	"fmt"
	"strconv"
	"strings"
)

// months is the length of the demo.
const months = 60

// curve is the weight of a topic in each month, from the first to the last.
type curve [months]float64

// parseCurve reads "month:weight" pairs and interpolates linearly between them. Before the first pair and after the
// last the weight is 0.
func parseCurve(s string) (c curve, err error) {
	last, lastWeight := -1, 0.0
	for _, point := range strings.Fields(s) {
		at, weight, ok := strings.Cut(point, ":")
		month, err1 := strconv.Atoi(at)
		w, err2 := strconv.ParseFloat(weight, 64)
		if !ok || err1 != nil || err2 != nil || month <= last || month >= months {
			return c, fmt.Errorf("%q is not a month:weight pair", point)
		}
		if last < 0 {
			last, lastWeight = month, w
		}
		for m := last; m <= month; m++ {
			share := 1.0
			if month > last {
				share = float64(m-last) / float64(month-last)
			}
			c[m] = lastWeight + (w-lastWeight)*share
		}
		last, lastWeight = month, w
	}
	return c, nil
}

// phase returns the position of a month in its episode, a run of months with a weight above 0: 0 at the start, 1 at the
// end.
func (c *curve) phase(month int) float64 {
	lo, hi := month, month
	for lo > 0 && c[lo-1] > 0 {
		lo--
	}
	for hi < months-1 && c[hi+1] > 0 {
		hi++
	}
	if lo == hi {
		return 0.5
	}
	return float64(month-lo) / float64(hi-lo)
}
