package rank

import (
	"encoding/binary"
	"math/bits"
)

// commonShare is the share of the turns from which on a term is not counted in neighbours: it is in most of them anyway, so it says
// nothing, and costs most. On LoCoMo and the known items nothing is lost by it (a fifth to a tenth did equally well).
const commonShare = 1.0 / 8

// counts says how often a term occurs in a row, and in the turns before and after it.
type counts struct{ own, neighbors float32 }

// counter counts one term at a time, in the rows and around them, and in conversations. Whoever reads a count sets it back to zero.
type counter struct {
	columns        *Columns
	gamma          float64
	norms          *lengthNorms
	rows           []counts // by row, and at the end for neighbours that are not there
	inRow          marks    // the rows that have any
	conversations  []uint32 // by conversation
	inConversation marks
	found          []int32
}

// counter returns one for this archive and p. release gives it back, with all its counts zero again.
func (a *Columns) counter(p Params) *counter {
	a.Prepare()
	c, ok := a.derived.counters.Get().(*counter)
	if !ok {
		n := len(a.Length)
		c = &counter{
			columns: a, rows: make([]counts, n+1), inRow: newMarks(n + 1),
			conversations: make([]uint32, a.Conversations), inConversation: newMarks(a.Conversations),
		}
	}
	c.gamma, c.norms = p.Gamma, a.lengthNorms(p)
	return c
}

func (c *counter) release() { c.columns.derived.counters.Put(c) }

// lengthNorms is how much each row's and each conversation's length damps its counts, by some parameters.
type lengthNorms struct {
	params              Params
	rows, conversations []float64
}

// lengthNorms returns it for p, from the last query when that had the same parameters. The length of a row is the number of its terms, plus γ
// times those of its neighbours.
func (a *Columns) lengthNorms(p Params) *lengthNorms {
	if d := a.derived.norms.Load(); d != nil && d.params == p {
		return d
	}
	d := &lengthNorms{params: p, rows: make([]float64, len(a.Length)), conversations: make([]float64, a.Conversations)}
	average := mean(float64(a.TotalLength)+p.Gamma*float64(a.derived.totalNeighborLength), len(a.Length))
	for row, length := range a.Length {
		d.rows[row] = p.lengthNorm(float64(length)+p.Gamma*float64(a.derived.neighborLength[row]), average)
	}
	average = mean(float64(a.TotalLength), a.Conversations)
	for conversation, length := range a.derived.conversationLength {
		d.conversations[conversation] = p.lengthNorm(length, average)
	}
	a.derived.norms.Store(d)
	return d
}

// countsNeighbors reports whether a term counts in the neighbours of its rows too.
func (c *counter) countsNeighbors(list PostingList) bool {
	return c.gamma > 0 && float64(len(list.Rows)) <= commonShare*float64(len(c.columns.Length))
}

// count counts a term in the rows and around them, and returns those rows, ascending, valid until the next call.
func (c *counter) count(list PostingList) []int32 {
	none := int32(len(c.rows) - 1)
	for i, row := range list.Rows {
		n := float32(list.Counts[i])
		prev, next := orElse(c.columns.Prev[row], none), orElse(c.columns.Next[row], none)
		c.rows[row].own = n
		c.rows[prev].neighbors += n
		c.rows[next].neighbors += n
		c.inRow[row], c.inRow[prev], c.inRow[next] = 1, 1, 1
	}
	c.rows[none], c.inRow[none] = counts{}, 0
	c.found = c.inRow.drain(c.found[:0])
	return c.found
}

// countConversations is the same for conversations.
func (c *counter) countConversations(list PostingList) []int32 {
	for i, row := range list.Rows {
		conversation := c.columns.Conversation[row]
		c.conversations[conversation] += list.Counts[i]
		c.inConversation[conversation] = 1
	}
	c.found = c.inConversation.drain(c.found[:0])
	return c.found
}

// orElse returns row, or none for -1, without a branch: which turns have neighbours, no processor can guess.
func orElse(row, none int32) int32 { return row + row>>31&(none+1) }

// marks are bytes that are 1 for what is marked, in whole words.
type marks []byte

func newMarks(n int) marks { return make(marks, (n+7)/8*8) }

// drain appends what is marked to dst, ascending, and unmarks it.
func (m marks) drain(dst []int32) []int32 {
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
