package termindex

import (
	"bytes"
	"container/heap"
	"fmt"
	"iter"

	"lens/store"
)

// Merge merges segments into one, drops the Ords that are not live (nil: all are live), and emits its
// blocks in order. It holds one block per segment and the longest list of one term in memory. If
// several segments list an Ord for a term, the greatest count wins, whatever their order. Errors: those of the
// segments and of emit, and ErrDamaged.
func Merge(segments []Segment, live func(store.Ord) bool, emit func(Block) error) error {
	cursors := make(cursors, 0, len(segments))
	for i, segment := range segments {
		next, stop := iter.Pull2(segment)
		defer stop()
		c := &cursor{index: i, next: next}
		there, err := c.advance()
		if err != nil {
			return fmt.Errorf("termindex: merge: %w", err)
		}
		if there {
			cursors = append(cursors, c)
		}
	}
	heap.Init(&cursors)
	w := writer{emit: emit}
	if err := cursors.drain(&w, live); err != nil {
		return fmt.Errorf("termindex: merge: %w", err)
	}
	if err := w.flush(); err != nil {
		return fmt.Errorf("termindex: merge: %w", err)
	}
	return nil
}

// cursor is a position in a segment.
type cursor struct {
	index   int // of the segment
	next    func() (Block, error, bool)
	block   reader
	before  []byte // the term of the previous entry
	started bool
}

// advance moves to the segment's next entry; false at its end.
func (c *cursor) advance() (bool, error) {
	c.before = append(c.before[:0], c.block.term...)
	for !c.block.next() {
		if c.block.err != nil {
			return false, c.block.err
		}
		block, err, more := c.next()
		if err != nil || !more {
			return false, err
		}
		c.block = reader{data: block.Data}
	}
	if c.started && bytes.Compare(c.block.term, c.before) <= 0 {
		return false, ErrDamaged // otherwise a term could be written twice
	}
	c.started = true
	return true, nil
}

// cursors is a heap by term, then by segment.
type cursors []*cursor

func (h cursors) Len() int      { return len(h) }
func (h cursors) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *cursors) Push(any)     { panic("termindex: nothing is pushed after heap.Init") }

func (h cursors) Less(i, j int) bool {
	if c := bytes.Compare(h[i].block.term, h[j].block.term); c != 0 {
		return c < 0
	}
	return h[i].index < h[j].index
}

func (h *cursors) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// drain writes every term of every segment.
func (h *cursors) drain(w *writer, live func(store.Ord) bool) error {
	var joined store.Postings
	for len(*h) > 0 {
		term := string((*h)[0].block.term)
		joined.Ords, joined.Counts = joined.Ords[:0], joined.Counts[:0]
		for len(*h) > 0 && string((*h)[0].block.term) == term {
			var err error
			if joined, err = h.appendNext(joined); err != nil {
				return err
			}
		}
		if err := w.add(term, liveOnly(joined, live)); err != nil {
			return err
		}
	}
	return nil
}

// appendNext appends the list of the first cursor's entry and advances that cursor.
func (h *cursors) appendNext(joined store.Postings) (store.Postings, error) {
	first := (*h)[0]
	n := len(joined.Ords)
	joined, err := decodeList(joined, first.block.list)
	if err != nil {
		return joined, err
	}
	more, err := first.advance()
	switch {
	case err != nil:
		return joined, err
	case more:
		heap.Fix(h, 0)
	default:
		heap.Pop(h)
	}
	return restoreOrder(joined, n), nil
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
