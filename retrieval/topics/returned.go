package topics

import (
	"math"
	"slices"
)

const (
	minSilence = 180  // days
	minAround  = 3    // conversations before a silence, and after it
	maxChance  = 0.01 // the greatest P of a silence that is worth a word
)

// Return is a silence of a topic that ended.
type Return struct {
	Left, Back int     // days since 1970: the last before the silence, and the first after it
	P          float64 // the probability that chance makes so long a silence
}

// Days returns how long the silence was.
func (r Return) Days() int { return r.Back - r.Left }

// Returned returns the longest silence of a topic, given the day on which each of its conversations began; false if
// there is none that chance does not explain. n + 1 distinct days divide their span S into n gaps; if they fell
// anywhere in it, one of at least g would come with the probability
//
//	p = min(1, n·(1 − g/S)^(n−1))
//
// the union bound of the distribution of the largest spacing (Fisher 1929). It must be at most .01, the silence at
// least 180 days, with three conversations on either side.
func Returned(days []int) (Return, bool) {
	days = slices.Sorted(slices.Values(days))
	gap := 0 // index of the day after the longest silence
	for i := 1; i < len(days); i++ {
		if gap == 0 || days[i]-days[i-1] >= days[gap]-days[gap-1] {
			gap = i
		}
	}
	if gap < minAround || len(days)-gap < minAround {
		return Return{}, false
	}
	distinct := len(slices.Compact(slices.Clone(days)))
	span := days[len(days)-1] - days[0]
	r := Return{Left: days[gap-1], Back: days[gap]}
	n := float64(distinct - 1)
	r.P = min(1, n*math.Pow(1-float64(r.Days())/float64(span), n-1))
	return r, r.Days() >= minSilence && r.P <= maxChance
}
