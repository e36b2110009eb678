package termindex

import (
	"encoding/binary"
	"math"
	"slices"

	"lens/store"
)

// Find returns the postings of term in a block's Data, empty if the term is not there. It does not
// retain data. Errors: ErrDamaged.
func Find(data []byte, term string) (store.Postings, error) {
	r := reader{data: data}
	for r.next() {
		switch here := string(r.term); {
		case here == term:
			return decodeList(store.Postings{}, r.list)
		case here > term:
			return store.Postings{}, nil
		}
	}
	return store.Postings{}, r.err
}

// reader walks the entries of a block.
type reader struct {
	data []byte // the remaining bytes
	term []byte // of the current entry; reused by next
	list []byte // of the current entry, encoded
	err  error

	ascending bool // whether the term is greater than the one before it in the block
}

// next moves to the next entry; false at the end or when err is set.
func (r *reader) next() bool {
	if len(r.data) == 0 || r.err != nil {
		return false
	}
	shared := r.number(len(r.term))
	suffix := r.bytes(r.number(len(r.data)))
	list := r.bytes(r.number(len(r.data)))
	if r.err != nil {
		return false
	}
	if suffix == nil || list == nil {
		r.err = ErrDamaged
		return false
	}
	r.ascending = string(r.term[shared:]) < string(suffix)
	r.term = append(r.term[:shared], suffix...)
	r.list = list
	return true
}

// number reads a varint of at most limit.
func (r *reader) number(limit int) int {
	x, n := binary.Uvarint(r.data)
	if n <= 0 || x > uint64(limit) {
		r.err = ErrDamaged
		return 0
	}
	r.data = r.data[n:]
	return int(x)
}

// bytes reads n bytes.
func (r *reader) bytes(n int) []byte {
	if n > len(r.data) {
		r.err = ErrDamaged
		return nil
	}
	b := r.data[:n:n]
	r.data = r.data[n:]
	return b
}

// decodeList appends a list of appendList to p. It checks everything: a list that claims more entries
// than it has bytes is damaged.
func decodeList(p store.Postings, b []byte) (store.Postings, error) {
	n, size := binary.Uvarint(b)
	if size <= 0 || n > uint64(len(b)-size)/2 {
		return store.Postings{}, ErrDamaged
	}
	b = b[size:]
	from := len(p.Ords)
	p.Ords, p.Counts = slices.Grow(p.Ords, int(n))[:from+int(n)], slices.Grow(p.Counts, int(n))[:from+int(n)]
	b, ok := decodeOrds(p.Ords[from:], b)
	if ok {
		b, ok = decodeCounts(p.Counts[from:], b)
	}
	if !ok || len(b) > 0 {
		return store.Postings{}, ErrDamaged
	}
	return p, nil
}

// decodeOrds fills ords from the deltas at the beginning of b and returns the remaining bytes. Most
// numbers take one byte.
func decodeOrds(ords []store.Ord, b []byte) (rest []byte, ok bool) {
	at, ord := 0, uint64(0)
	for i := range ords {
		if at >= len(b) {
			return nil, false
		}
		delta, size := uint64(b[at]), 1
		if delta >= 0x80 {
			delta, size = binary.Uvarint(b[at:])
		}
		if size <= 0 || delta == 0 && i > 0 || delta > math.MaxUint32-ord {
			return nil, false
		}
		ord += delta
		ords[i] = store.Ord(ord)
		at += size
	}
	return b[at:], true
}

// decodeCounts does the same for counts, which are stored minus one.
func decodeCounts(counts []uint32, b []byte) (rest []byte, ok bool) {
	at := 0
	for i := range counts {
		if at >= len(b) {
			return nil, false
		}
		count, size := uint64(b[at]), 1
		if count >= 0x80 {
			count, size = binary.Uvarint(b[at:])
		}
		if size <= 0 || count >= math.MaxUint32 {
			return nil, false
		}
		counts[i] = uint32(count) + 1
		at += size
	}
	return b[at:], true
}
