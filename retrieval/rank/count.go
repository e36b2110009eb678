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
	damp    []float64 // by row
	counts  []counts  // by row; whoever reads a count sets it back to zero
	found   []int32
}

// counter returns one for this archive and p. release gives it back, with all its counts zero again.
func (a *Archive) counter(p Params) *counter {
	a.Survey()
	c, ok := a.survey.spare.Get().(*counter)
	if !ok {
		c = &counter{archive: a, counts: make([]counts, len(a.Length))}
	}
	c.gamma, c.damp = p.Gamma, a.damping(p)
	return c
}

func (c *counter) release() { c.archive.survey.spare.Put(c) }

// damping is how much each row's length damps its counts, by some parameters.
type damping struct {
	params Params
	rows   []float64
}

// damping returns it for p, from the last query when that had the same parameters. The length is the number of a row's terms, plus γ times
// those of its neighbours.
func (a *Archive) damping(p Params) []float64 {
	if d := a.survey.damping.Load(); d != nil && d.params == p {
		return d.rows
	}
	average := mean(float64(a.TotalLength)+p.Gamma*float64(a.survey.around), len(a.Length))
	rows := make([]float64, len(a.Length))
	for row, length := range a.Length {
		rows[row] = p.damp(float64(length)+p.Gamma*float64(a.survey.near[row]), average)
	}
	a.survey.damping.Store(&damping{p, rows})
	return rows
}

// reaches reports whether a term counts in the neighbours of its rows too.
func (c *counter) reaches(list List) bool {
	return c.gamma > 0 && float64(len(list.Rows)) <= common*float64(len(c.counts))
}

// count fills counts and returns the rows that have any, valid until the next call.
func (c *counter) count(list List) []int32 {
	c.found = slices.Grow(c.found[:0], min(3*len(list.Rows), len(c.counts)))
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
