package rank

import (
	"encoding/binary"
	"math/bits"
)

// commonShare is the share of turns from which a term is not counted in neighbors: it is in most of them anyway, so
// it says nothing, and it costs most. On LoCoMo and the known items this loses nothing (a fifth to a tenth did
// equally well).
const commonShare = 1.0 / 8

// counts says how often a term occurs in a row, and in the turns before and after it.
type counts struct{ own, neighbors float32 }

// counter counts one term at a time, in rows and their neighbors, and in conversations. The reader of a count
// resets it to zero.
type counter struct {
	columns        *Columns
	gamma          float64
	norms          *lengthNorms
	rows           []counts // by row, and one more for missing neighbors
	inRow          marks    // the rows with a count
	conversations  []uint32 // by conversation
	inConversation marks
	found          []int32
}

// counter returns a counter for p. release returns it, with all its counts zero again.
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

// lengthNorms holds the length norm of each row and conversation for one set of parameters.
type lengthNorms struct {
	params              Params
	rows, conversations []float64
}

// lengthNorms returns the norms for p, from the last query where its parameters were the same. The length of a row
// is its number of terms plus γ times those of its neighbors.
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

// countsNeighbors reports whether a term also counts in the neighbors of its rows.
func (c *counter) countsNeighbors(list PostingList) bool {
	return c.gamma > 0 && float64(len(list.Rows)) <= commonShare*float64(len(c.columns.Length))
}

// count counts a term in rows and their neighbors. It returns those rows, ascending, valid until the next call.
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

// countConversations does the same for conversations.
func (c *counter) countConversations(list PostingList) []int32 {
	for i, row := range list.Rows {
		conversation := c.columns.Conversation[row]
		c.conversations[conversation] += list.Counts[i]
		c.inConversation[conversation] = 1
	}
	c.found = c.inConversation.drain(c.found[:0])
	return c.found
}

// orElse returns row, or none for -1, without a branch: no processor can predict which turns have neighbors.
func orElse(row, none int32) int32 { return row + row>>31&(none+1) }

// marks are bytes that are 1 for marked rows, in whole words.
type marks []byte

func newMarks(n int) marks { return make(marks, (n+7)/8*8) }

// drain appends the marked rows to dst, ascending, and unmarks them.
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
