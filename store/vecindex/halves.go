package vecindex

import (
	"fmt"
	"hash/crc32"
	"math"
	"sync/atomic"

	"lens/internal/simd"
	"lens/store"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// halves are the vectors of an index, each row verified on first use. Without checksums (an index in
// memory) they are not verified.
type halves struct {
	data     []byte
	rowBytes int
	sums     []uint32
	verified []atomic.Uint64 // one bit per row
}

// setSums sets the checksums of the rows.
func (h *halves) setSums(sums []uint32) {
	h.sums, h.verified = sums, make([]atomic.Uint64, (len(sums)+63)/64)
}

// row returns one row.
func (h *halves) row(i int) ([]byte, error) {
	row := h.data[i*h.rowBytes : (i+1)*h.rowBytes]
	if h.sums == nil {
		return row, nil
	}
	word, bit := &h.verified[i/64], uint64(1)<<(i%64)
	if word.Load()&bit == 0 {
		if crc32.Checksum(row, castagnoli) != h.sums[i] {
			return nil, fmt.Errorf("row %d: %w", i, ErrDamaged)
		}
		word.Or(bit)
	}
	return row, nil
}

// rank sets the similarities of found to query, as store.Dot computes them.
func (h *halves) rank(query []float32, found []candidate) error {
	const together = 256
	var rows [together]int32
	var similarities [together]float64
	for len(found) > 0 {
		part := found[:min(together, len(found))]
		for i, c := range part {
			rows[i] = c.row
		}
		if err := h.similarities(similarities[:len(part)], query, rows[:len(part)]); err != nil {
			return err
		}
		for i := range part {
			part[i].similarity = similarities[i]
		}
		found = found[len(part):]
	}
	return nil
}

// similarities sets out to the inner products of query with rows, as store.Dot computes them.
func (h *halves) similarities(out []float64, query []float32, rows []int32) error {
	for _, row := range rows {
		if _, err := h.row(int(row)); err != nil {
			return err
		}
	}
	simd.DotHalfPicked64(out, query, view[uint16](h.data), rows)
	return nil
}

// unitTolerance is the tolerated deviation of a vector's squared length from one: halves have eleven
// bits.
const unitTolerance = 4e-3

// widen sets v to the values of a row. Errors: ErrDamaged unless they are a unit vector.
func widen(v []float32, row []byte) error {
	var sum float64
	for i, h := range view[uint16](row) {
		v[i] = store.Widen(h)
		sum += float64(v[i]) * float64(v[i])
	}
	if !(math.Abs(sum-1) <= unitTolerance) { // also rejects NaN
		return fmt.Errorf("a vector has length %.3g instead of 1: %w", math.Sqrt(sum), ErrDamaged)
	}
	return nil
}
