package vecindex

import (
	"math"
	"sync"
)

// shortlist keeps the rows with the best estimates: wanted rows, and a few that are hardly worse. It
// counts rows in bins by their estimates, and drops the worst bin once the better ones hold enough. It
// never sorts.
type shortlist struct {
	wanted int
	least  int // the worst bin that is kept
	above  int // rows in it and in better bins
	counts [bins]int32
	found  []candidate
}

// Bins have equal width and cover the possible estimates.
const (
	highest = 1.25
	bins    = 5 << 10
	perUnit = bins / (2 * highest)
)

func binOf(estimate float32) int { return min(max(int((estimate+highest)*perUnit), 0), bins-1) }

var shortlists = sync.Pool{New: func() any { return new(shortlist) }}

func (l *shortlist) reset(wanted int) { *l = shortlist{wanted: wanted, found: l.found[:0]} }

// add takes the rows from row on into account.
func (l *shortlist) add(row int, estimates []float32) {
	edge := float32(l.least-1)/perUnit - highest // the lower edge of the bin below: smaller estimates are not counted
	if l.least == 0 {
		edge = float32(math.Inf(-1))
	}
	for i, e := range estimates {
		if e < edge || e != e {
			continue
		}
		if bin := binOf(e); bin >= l.least {
			l.found = append(l.found, candidate{row: int32(row + i), similarity: float64(e)})
			l.counts[bin]++
			l.above++
		}
	}
	l.raise()
}

// raise drops bins that are not needed.
func (l *shortlist) raise() {
	for l.above-int(l.counts[l.least]) >= l.wanted {
		l.above -= int(l.counts[l.least])
		l.least++
	}
}

// merge adds a shortlist of other rows.
func (l *shortlist) merge(part *shortlist) {
	l.found = append(l.found, part.found...)
	for bin := max(part.least, l.least); bin < bins; bin++ {
		l.counts[bin] += part.counts[bin]
		l.above += int(part.counts[bin])
	}
	l.raise()
}

// cut removes the rows of dropped bins. The others keep their order.
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
