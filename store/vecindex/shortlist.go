package vecindex

import (
	"math"
	"math/bits"
	"sync"

	"lens/internal/simd"
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

func binOf(estimate float32) int {
	bin := min(max(int((estimate+highest)*perUnit), 0), bins-1)
	if estimate < edgeOf(bin) { // the sum was rounded up
		bin--
	}
	return bin
}

// edgeOf returns the least estimate of a bin, exactly: perUnit is a power of two.
func edgeOf(bin int) float32 {
	if bin == 0 {
		return float32(math.Inf(-1))
	}
	return float32(bin)/perUnit - highest
}

var shortlists = sync.Pool{New: func() any { return new(shortlist) }}

func (l *shortlist) reset(wanted int) {
	l.wanted, l.least, l.above, l.found = wanted, 0, 0, l.found[:0]
	clear(l.counts[:])
}

// maxAdded is the most rows to add at once.
const maxAdded = 256

// add takes the rows from row on into account, of which keep has one bit each (nil: all).
func (l *shortlist) add(row int, estimates []float32, keep []uint64) {
	var reached [maxAdded / 64]uint64
	simd.AtLeast(reached[:], estimates, edgeOf(l.least))
	for i, word := range reached[:(len(estimates)+63)/64] {
		if keep != nil {
			word &= keep[i]
		}
		for ; word != 0; word &= word - 1 {
			at := 64*i + bits.TrailingZeros64(word)
			l.found = append(l.found, candidate{row: int32(row + at), similarity: float64(estimates[at])})
			l.counts[binOf(estimates[at])]++
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
	n, edge := 0, float64(edgeOf(l.least))
	for _, c := range l.found {
		l.found[n] = c // also what the next one replaces: no processor can predict which are kept
		if c.similarity >= edge {
			n++
		}
	}
	l.found = l.found[:n]
}
