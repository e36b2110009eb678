package vecindex

import (
	"fmt"
	"iter"

	"lens/internal/simd"
	"lens/store"
)

// maker turns halves into a plane: it has read all rows once before it encodes the first.
type maker struct {
	head
	values []float32 // of one row
	mean   []float32
	fits   bool // as many ords as keys
}

func newMaker(c Contents) *maker {
	l := layout{dim: c.Dim, rows: len(c.Ords), kind: kindFor(c.Dim, len(c.Ords)), tag: c.Tag}
	m := &maker{head: newHead(l, c.Ords, c.Keys), values: make([]float32, c.Dim), fits: len(c.Ords) == len(c.Keys)}
	if l.kind == bitsPlane {
		m.mean = view[float32](m.guide())[:c.Dim]
	}
	return m
}

// read passes the rows on, having made sure that there is one an ord and that each is a unit vector.
func (m *maker) read(rows iter.Seq2[[]byte, error], pass func(row []byte) error) error {
	sums := make([]float64, len(m.mean))
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
		m.mean[i] = float32(sum / float64(n))
	}
	return nil
}

// encode writes row i of the plane to dst.
func (m *maker) encode(i int, dst, row []byte) {
	if m.kind == noPlane {
		return
	}
	for j, h := range view[uint16](row) {
		m.values[j] = store.Widen(h)
	}
	if m.kind == bitsPlane {
		signs(dst, m.values, m.mean)
		view[float32](m.guide())[m.dim+i] = simd.Dot(m.values, m.mean)
		return
	}
	step, loss := steps(dst, m.values)
	putGuide(m.guide()[8*i:], step, loss)
}
