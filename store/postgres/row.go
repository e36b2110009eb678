package postgres

import (
	"encoding/binary"
	"math"
	"math/bits"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"

	"lens/store"
)

// row is a result row in Postgres's binary format: numbers are big endian, a NULL is nil. Reading it
// directly costs a tenth of pgx's scanning, which matters for a catalog of a hundred thousand turns.
type row [][]byte

func (r row) null(col int) bool { return r[col] == nil }

// number reads an integer or a boolean of any width; 0 for NULL.
func (r row) number(col int) int64 {
	switch b := r[col]; len(b) {
	case 1:
		return int64(b[0])
	case 2:
		return int64(int16(binary.BigEndian.Uint16(b)))
	case 4:
		return int64(int32(binary.BigEndian.Uint32(b)))
	case 8:
		return int64(binary.BigEndian.Uint64(b))
	}
	return 0
}

func (r row) int(col int) int { return int(r.number(col)) }

func (r row) bool(col int) bool { return r.number(col) != 0 }

func (r row) text(col int) string { return string(r[col]) }

// bytes returns a copy; nil for an empty value.
func (r row) bytes(col int) []byte { return append([]byte(nil), r[col]...) }

func (r row) id(col int) (id uuid.UUID) {
	copy(id[:], r[col])
	return id
}

func (r row) firstID() uuid.UUID { return r.id(0) }

// tid reads a tuple id: the block of a row and its number in that block.
func (r row) tid(col int) pgtype.TID {
	return pgtype.TID{
		BlockNumber:  binary.BigEndian.Uint32(r[col]),
		OffsetNumber: binary.BigEndian.Uint16(r[col][4:]),
		Valid:        true,
	}
}

func (r row) hash(col int) (h store.Hash) {
	copy(h[:], r[col])
	return h
}

// time returns the zero time for NULL.
func (r row) time(col int) time.Time {
	if r.null(col) {
		return time.Time{}
	}
	return store.FromMicros(r.number(col))
}

// halves reads the elements of a halfvec: two bytes of count, two unused bytes, then the halves, big
// endian. It swaps the bytes of four at a time, since a search reads hundreds of thousands.
func (r row) halves(col int) []uint16 {
	const header = 4
	b := r[col][header:]
	halves := make([]uint16, 0, len(b)/2)
	for ; len(b) >= 8; b = b[8:] {
		x := binary.BigEndian.Uint64(b)
		halves = append(halves, uint16(x>>48), uint16(x>>32), uint16(x>>16), uint16(x))
	}
	for ; len(b) >= 2; b = b[2:] {
		halves = append(halves, binary.BigEndian.Uint16(b))
	}
	return halves
}

// widened reads the elements of a halfvec.
func (r row) widened(col int) []float32 {
	halves := r.halves(col)
	v := make([]float32, len(halves))
	for i, h := range halves {
		v[i] = store.Widen(h)
	}
	return v
}

// signs reads a bit string into words, the first bit in the lowest bit of the first word. The format
// is a count in four bytes, then eight bits per byte, the first in the highest bit.
func (r row) signs(col int) []uint64 {
	const header = 4
	b := r[col][header:]
	words := make([]uint64, (len(b)+7)/8)
	for i := range words {
		var word [8]byte
		copy(word[:], b[8*i:])
		words[i] = bits.Reverse64(binary.BigEndian.Uint64(word[:]))
	}
	return words
}

func (r row) float(col int) float64 { return math.Float64frombits(binary.BigEndian.Uint64(r[col])) }
