package vecindex

import (
	"math"
	"sync"
)

// shortlist keeps the rows with the best estimates: so many, and a few that are hardly worse. Those that have a chance are counted by their
// estimates, and when enough are counted in better bins, the worst bin is given up. So nothing is ever sorted.
type shortlist struct {
	wanted int
	least  int // bin that is not given up
	above  int // rows counted in it and in better ones
	counts [bins]int32
	found  []candidate
}

// Bins are of one width, as many as estimates of similarities need.
const (
	highest = 1.25
	bins    = 5 << 10
	perUnit = bins / (2 * highest)
)

func binOf(estimate float32) int { return min(max(int((estimate+highest)*perUnit), 0), bins-1) }

var shortlists = sync.Pool{New: func() any { return new(shortlist) }}

func (l *shortlist) reset(wanted int) { *l = shortlist{wanted: wanted, found: l.found[:0]} }

// add takes the rows from first on into account.
func (l *shortlist) add(first int, estimates []float32) {
	edge := float32(l.least-1)/perUnit - highest // of the bin below: what is under it need not be counted
	if l.least == 0 {
		edge = float32(math.Inf(-1))
	}
	for i, e := range estimates {
		if e < edge || e != e {
			continue
		}
		if bin := binOf(e); bin >= l.least {
			l.found = append(l.found, candidate{row: int32(first + i), similarity: float64(e)})
			l.counts[bin]++
			l.above++
		}
	}
	l.raise()
}

// raise gives bins up that are not needed.
func (l *shortlist) raise() {
	for l.above-int(l.counts[l.least]) >= l.wanted {
		l.above -= int(l.counts[l.least])
		l.least++
	}
}

// merge adds what another list of other rows holds.
func (l *shortlist) merge(part *shortlist) {
	l.found = append(l.found, part.found...)
	for bin := max(part.least, l.least); bin < bins; bin++ {
		l.counts[bin] += part.counts[bin]
		l.above += int(part.counts[bin])
	}
	l.raise()
}

// cut drops the rows of the bins that were given up. The others keep their order.
func (l *shortlist) cut() {
	n := 0
	for _, c := range l.found {
		if binOf(float32(c.similarity)) >= l.least {
			l.found[n] = c
			n++
		}
	}
	l.found = l.found[:n]
}
