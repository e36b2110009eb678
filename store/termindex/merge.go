package termindex

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"iter"
	"math"
	"slices"

	"lens/store"
)

// Merge merges segments into one, drops the Ords that are not live (nil: all are live), and emits its
// blocks in order. It holds one block per segment and the longest list of one term in memory. If
// several segments list an Ord for a term, the greatest count wins, whatever their order. Errors: those of the
// segments and of emit, and ErrDamaged.
func Merge(segments []Segment, live func(store.Ord) bool, emit func(Block) error) error {
	w := writer{emit: emit}
	err := each(segments, func(term string, p store.Postings) error { return w.add(term, liveOnly(p, live)) })
	if err == nil {
		err = w.flush()
	}
	if err != nil {
		return fmt.Errorf("termindex: merge: %w", err)
	}
	return nil
}

// Each calls see with every term of segments, in ascending order, and its postings, joined as Merge does. They are
// valid only during the call. It ends with the first error of see. Errors: those of the segments and of see, and
// ErrDamaged.
func Each(segments []Segment, see func(term string, p store.Postings) error) error {
	if err := each(segments, see); err != nil {
		return fmt.Errorf("termindex: each term: %w", err)
	}
	return nil
}

func each(segments []Segment, see func(term string, p store.Postings) error) error {
	cursors := make(cursors, 0, len(segments))
	for i, segment := range segments {
		next, stop := iter.Pull2(segment)
		defer stop()
		c := &cursor{index: i, next: next}
		there, err := c.advance()
		if err != nil {
			return err
		}
		if there {
			cursors = append(cursors, c)
		}
	}
	for i := range slices.Backward(cursors) {
		cursors.down(i)
	}
	return cursors.drain(see)
}

// cursor is a position in a segment.
type cursor struct {
	first   uint64 // bytes of the term, big endian, padded with zeros
	index   int    // of the segment
	next    func() (Block, error, bool)
	block   reader
	last    []byte // the last term of the block before
	started bool
	ended   bool // it is behind all entries, and its first is the greatest
}

// advance moves to the segment's next entry; false at its end.
func (c *cursor) advance() (bool, error) {
	if !c.block.next() {
		if more, err := c.nextBlock(); err != nil || !more {
			return false, err
		}
	}
	if !c.block.ascending {
		return false, ErrDamaged // otherwise a term could be written twice
	}
	var first [8]byte
	copy(first[:], c.block.term)
	c.first = binary.BigEndian.Uint64(first[:])
	return true, nil
}

// nextBlock moves to the first entry of the next block; false if there is none.
func (c *cursor) nextBlock() (bool, error) {
	if c.block.err != nil {
		return false, c.block.err
	}
	block, err, more := c.next()
	if err != nil || !more {
		return false, err
	}
	c.last, c.block = c.block.term, reader{data: block.Data, term: c.last[:0]}
	if !c.block.next() {
		return false, cmp.Or(c.block.err, ErrDamaged) // no block is empty
	}
	c.block.ascending = !c.started || bytes.Compare(c.last, c.block.term) < 0
	c.started = true
	return true, nil
}

// compare compares the terms of two cursors.
func (c *cursor) compare(d *cursor) int {
	a, b := c.block.term, d.block.term
	switch {
	case c.first < d.first:
		return -1
	case c.first > d.first:
		return 1
	case c.ended:
		return 1
	case d.ended:
		return -1
	case min(len(a), len(b)) <= 8: // one is the beginning of the other
		return cmp.Compare(len(a), len(b))
	}
	return bytes.Compare(a[8:], b[8:])
}

// cursors is a heap by term.
type cursors []*cursor

// down moves a cursor to its place below i.
func (h cursors) down(i int) {
	for {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(h); child++ {
			if h[child].compare(h[least]) < 0 {
				least = child
			}
		}
		if least == i {
			return
		}
		h[i], h[least] = h[least], h[i]
		i = least
	}
}

// atFirst appends the positions of the cursors at the first term, in ascending order: the root, and children of those.
func (h cursors) atFirst(positions []int) []int {
	positions = append(positions, 0)
	for n := 0; n < len(positions); n++ {
		for child := 2*positions[n] + 1; child <= 2*positions[n]+2 && child < len(h); child++ {
			if h[child].compare(h[0]) == 0 {
				positions = append(positions, child)
			}
		}
	}
	return positions
}

// drain passes on every term of every segment. Segments have many terms in common: all cursors at a term advance, then
// they are put into order at once.
func (h cursors) drain(see func(term string, p store.Postings) error) error {
	var joined store.Postings
	var positions []int
	var same cursors
	for len(h) > 0 && !h[0].ended {
		term := string(h[0].block.term)
		positions, same = h.atFirst(positions[:0]), same[:0]
		for _, i := range positions {
			same = append(same, h[i])
		}
		slices.SortFunc(same, func(a, b *cursor) int { return cmp.Compare(a.index, b.index) }) // as the ords, mostly
		joined.Ords, joined.Counts = joined.Ords[:0], joined.Counts[:0]
		for _, c := range same {
			n := len(joined.Ords)
			var err error
			if joined, err = decodeList(joined, c.block.list); err != nil {
				return err
			}
			joined = restoreOrder(joined, n)
			more, err := c.advance()
			if err != nil {
				return err
			}
			if !more {
				c.first, c.ended = math.MaxUint64, true
			}
		}
		for _, i := range slices.Backward(positions) {
			h.down(i)
		}
		if err := see(term, joined); err != nil {
			return err
		}
	}
	return nil
}

// liveOnly drops the Ords that are not live, in place.
func liveOnly(p store.Postings, live func(store.Ord) bool) store.Postings {
	if live == nil {
		return p
	}
	n := 0
	for i, ord := range p.Ords {
		if live(ord) {
			p.Ords[n], p.Counts[n] = ord, p.Counts[i]
			n++
		}
	}
	return store.Postings{Ords: p.Ords[:n], Counts: p.Counts[:n]}
}
