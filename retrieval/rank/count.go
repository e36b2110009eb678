package rank

import (
	"encoding/binary"
	"math/bits"
)

// common is the share of the turns from which on a term is not counted in neighbours: it is in most of them anyway, so it says
// nothing, and costs most. On LoCoMo and the known items nothing is lost by it (a fifth to a tenth did equally well).
const common = 1.0 / 8

// counts says how often a term occurs in a row, and in the turns before and after it.
type counts struct{ own, near float32 }

// counter counts one term at a time, in the rows and around them, and in conversations. Whoever reads a count sets it back to zero.
type counter struct {
	archive *Columns
	gamma   float64
	damp    *damping
	rows    []counts // by row, and at the end for neighbours that are not there
	inRow   marks    // the rows that have any
	talks   []uint32 // by conversation
	inTalk  marks
	found   []int32
}

// counter returns one for this archive and p. release gives it back, with all its counts zero again.
func (a *Columns) counter(p Params) *counter {
	a.Prepare()
	c, ok := a.survey.spare.Get().(*counter)
	if !ok {
		n := len(a.Length)
		c = &counter{
			archive: a, rows: make([]counts, n+1), inRow: newMarks(n + 1),
			talks: make([]uint32, a.Conversations), inTalk: newMarks(a.Conversations),
		}
	}
	c.gamma, c.damp = p.Gamma, a.damping(p)
	return c
}

func (c *counter) release() { c.archive.survey.spare.Put(c) }

// damping is how much each row's and each conversation's length damps its counts, by some parameters.
type damping struct {
	params      Params
	rows, talks []float64
}

// damping returns it for p, from the last query when that had the same parameters. The length of a row is the number of its terms, plus γ
// times those of its neighbours.
func (a *Columns) damping(p Params) *damping {
	if d := a.survey.damping.Load(); d != nil && d.params == p {
		return d
	}
	d := &damping{params: p, rows: make([]float64, len(a.Length)), talks: make([]float64, a.Conversations)}
	average := mean(float64(a.TotalLength)+p.Gamma*float64(a.survey.around), len(a.Length))
	for row, length := range a.Length {
		d.rows[row] = p.damp(float64(length)+p.Gamma*float64(a.survey.near[row]), average)
	}
	average = mean(float64(a.TotalLength), a.Conversations)
	for talk, length := range a.survey.talk {
		d.talks[talk] = p.damp(length, average)
	}
	a.survey.damping.Store(d)
	return d
}

// reaches reports whether a term counts in the neighbours of its rows too.
func (c *counter) reaches(list PostingList) bool {
	return c.gamma > 0 && float64(len(list.Rows)) <= common*float64(len(c.archive.Length))
}

// count counts a term in the rows and around them, and returns those rows, ascending, valid until the next call.
func (c *counter) count(list PostingList) []int32 {
	none := int32(len(c.rows) - 1)
	for i, row := range list.Rows {
		n := float32(list.Counts[i])
		prev, next := orElse(c.archive.Prev[row], none), orElse(c.archive.Next[row], none)
		c.rows[row].own = n
		c.rows[prev].near += n
		c.rows[next].near += n
		c.inRow[row], c.inRow[prev], c.inRow[next] = 1, 1, 1
	}
	c.rows[none], c.inRow[none] = counts{}, 0
	c.found = c.inRow.take(c.found[:0])
	return c.found
}

// countTalks is the same for conversations.
func (c *counter) countTalks(list PostingList) []int32 {
	for i, row := range list.Rows {
		talk := c.archive.Conversation[row]
		c.talks[talk] += list.Counts[i]
		c.inTalk[talk] = 1
	}
	c.found = c.inTalk.take(c.found[:0])
	return c.found
}

// orElse returns row, or none for -1, without a branch: which turns have neighbours, no processor can guess.
func orElse(row, none int32) int32 { return row + row>>31&(none+1) }

// marks are bytes that are 1 for what is marked, in whole words.
type marks []byte

func newMarks(n int) marks { return make(marks, (n+7)/8*8) }

// take appends what is marked to dst, ascending, and unmarks it.
func (m marks) take(dst []int32) []int32 {
	for at := 0; at < len(m); at += 8 {
		word := binary.LittleEndian.Uint64(m[at:])
		if word == 0 {
			continue
		}
		binary.LittleEndian.PutUint64(m[at:], 0)
		for ; word != 0; word &= word - 1 {
			dst = append(dst, int32(at+bits.TrailingZeros64(word)/8))
		}
	}
	return dst
}
