package rank

import "slices"

// common is the share of the turns from which on a term is not counted in neighbours: it is in most of them anyway, so it says
// nothing, and costs most. On LoCoMo and the known items nothing is lost by it (a fifth to a tenth did equally well).
const common = 1.0 / 8

// counts says how often a term occurs in a row and in the turns before and after it.
type counts struct{ own, near float32 }

// counter counts one term at a time, in the rows and around them.
type counter struct {
	archive *Archive
	gamma   float64
	average float64  // of length
	counts  []counts // by row; whoever reads a count sets it back to zero
	found   []int32
}

// counter returns one for this archive and γ. release gives it back, with all its counts zero again.
func (a *Archive) counter(gamma float64) *counter {
	a.Survey()
	c, ok := a.survey.spare.Get().(*counter)
	if !ok {
		c = &counter{archive: a, counts: make([]counts, len(a.Length))}
	}
	c.gamma = gamma
	c.average = mean(float64(a.TotalLength)+gamma*float64(a.survey.around), len(a.Length))
	return c
}

func (c *counter) release() { c.archive.survey.spare.Put(c) }

// length is the number of terms in a row, plus γ times those of its neighbours.
func (c *counter) length(row int32) float64 {
	return float64(c.archive.Length[row]) + c.gamma*float64(c.archive.survey.near[row])
}

// count fills counts and returns the rows that have any, valid until the next call.
func (c *counter) count(list List) []int32 {
	c.found = slices.Grow(c.found[:0], min(3*len(list.Rows), len(c.counts)))
	if c.gamma <= 0 || float64(len(list.Rows)) > common*float64(len(c.counts)) {
		for i, row := range list.Rows {
			c.counts[row].own = float32(list.Counts[i])
		}
		return append(c.found, list.Rows...)
	}
	for i, row := range list.Rows {
		n := float32(list.Counts[i])
		c.at(row).own = n
		if prev := c.archive.Prev[row]; prev >= 0 {
			c.at(prev).near += n
		}
		if next := c.archive.Next[row]; next >= 0 {
			c.at(next).near += n
		}
	}
	return c.found
}

// at returns the counts of a row, which is among the found from now on.
func (c *counter) at(row int32) *counts {
	n := &c.counts[row]
	if *n == (counts{}) {
		c.found = append(c.found, row)
	}
	return n
}
