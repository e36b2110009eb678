package termindex

import (
	"encoding/binary"
	"slices"

	"lens/store"
)

// writer packs entries into blocks. The terms must be distinct and ascending.
type writer struct {
	emit  func(Block) error
	block Block
	last  string // the term written last
	list  []byte // scratch
}

// add writes one term. It omits a term with an empty list.
func (w *writer) add(term string, p store.Postings) error {
	if len(p.Ords) == 0 {
		return nil
	}
	w.list = appendList(w.list[:0], p)
	return w.addList(term)
}

// addList writes a term with the encoded w.list.
func (w *writer) addList(term string) error {
	if len(w.block.Data) > 0 && len(w.block.Data)+len(term)+len(w.list) > blockSize {
		if err := w.flush(); err != nil {
			return err
		}
	}
	shared := 0
	if len(w.block.Data) == 0 {
		w.block.FirstTerm = term
	} else {
		shared = sharedPrefix(w.last, term)
	}
	d := w.block.Data
	d = binary.AppendUvarint(d, uint64(shared))
	d = binary.AppendUvarint(d, uint64(len(term)-shared))
	d = append(d, term[shared:]...)
	d = binary.AppendUvarint(d, uint64(len(w.list)))
	w.block.Data = append(d, w.list...)
	w.last = term
	return nil
}

// flush emits the block and starts the next. The receiver owns its bytes.
func (w *writer) flush() error {
	if len(w.block.Data) == 0 {
		return nil
	}
	full := w.block
	w.block = Block{Data: make([]byte, 0, blockSize)}
	return w.emit(full)
}

// appendList encodes a list. Ords ascend strictly, counts are at least 1.
func appendList(b []byte, p store.Postings) []byte {
	b = slices.Grow(b, 2*binary.MaxVarintLen32*len(p.Ords)+binary.MaxVarintLen64)
	n := len(b) + binary.PutUvarint(b[len(b):cap(b)], uint64(len(p.Ords)))
	b = b[:cap(b)]
	previous := store.Ord(0)
	for _, ord := range p.Ords {
		n = putNumber(b, n, uint32(ord-previous))
		previous = ord
	}
	for _, count := range p.Counts {
		n = putNumber(b, n, count-1)
	}
	return b[:n]
}

// appendPostings is appendList for the pairs of a Builder: copying each list of a segment to two costs an import 1 %.
func appendPostings(b []byte, list []posting) []byte {
	b = slices.Grow(b, 2*binary.MaxVarintLen32*len(list)+binary.MaxVarintLen64)
	n := len(b) + binary.PutUvarint(b[len(b):cap(b)], uint64(len(list)))
	b = b[:cap(b)]
	previous := store.Ord(0)
	for _, p := range list {
		n = putNumber(b, n, uint32(p.ord-previous))
		previous = p.ord
	}
	for _, p := range list {
		n = putNumber(b, n, p.count-1)
	}
	return b[:n]
}

// putNumber writes a varint at n and returns its end. Most numbers take one byte.
func putNumber(b []byte, n int, x uint32) int {
	if x < 0x80 {
		b[n] = byte(x)
		return n + 1
	}
	return n + binary.PutUvarint(b[n:], uint64(x))
}

// sharedPrefix returns the length of the common prefix of a and b.
func sharedPrefix(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}
