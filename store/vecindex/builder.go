package vecindex

import (
	"fmt"
	"iter"

	"lens/store"
)

// builder turns halves into a plane. It reads all rows once before it encodes the first.
type builder struct {
	head
	encoder
	values []float32 // of one row
	fits   bool      // there are as many ords as keys
}

// newBuilder returns a builder for an index whose signs, if it has any, are in the plane of kind signs.
func newBuilder(c Contents, signs kind) *builder {
	l := layout{dim: c.Dim, rows: len(c.Ords), kind: kindFor(c.Dim, len(c.Ords)), tag: c.Tag}
	if l.kind == signsPlane {
		l.kind = signs
	}
	h := newHead(l, c.Ords, c.Keys)
	return &builder{
		head: h, encoder: encoder{kind: l.kind, mean: h.mean(), residual: make([]float32, c.Dim)},
		values: make([]float32, c.Dim), fits: len(c.Ords) == len(c.Keys),
	}
}

// read passes the rows to pass after checking that there is one per ord and that each is a unit
// vector.
func (m *builder) read(rows iter.Seq2[[]byte, error], pass func(row []byte) error) error {
	sums := make([]float64, len(m.encoder.mean))
	n := 0
	for row, err := range rows {
		if err != nil {
			return err
		}
		if n == m.rows {
			return errRows
		}
		if len(row) != 2*m.dim {
			return fmt.Errorf("a vector has %d bytes instead of %d: %w", len(row), 2*m.dim, ErrDamaged)
		}
		if err := widen(m.values, row); err != nil {
			return err
		}
		for i := range sums {
			sums[i] += float64(m.values[i])
		}
		if err := pass(row); err != nil {
			return err
		}
		n++
	}
	if n != m.rows || !m.fits {
		return errRows
	}
	for i, sum := range sums {
		m.encoder.mean[i] = float32(sum / float64(n))
	}
	return nil
}

// encode writes the code of row i to zeroed memory.
func (m *builder) encode(i int, code, rest, row []byte) {
	for j, h := range view[uint16](row) {
		m.values[j] = store.Widen(h)
	}
	factors := m.factors()[2*i:]
	factors[0], factors[1] = m.encoder.encode(code, rest, m.values)
}
