package sqlite

import (
	"context"
	"encoding/binary"

	"lens/store"
)

// Vector returns a turn's vector in the active generation, nil if it has none.
func (s *Store) Vector(ctx context.Context, ord store.Ord) (vector []float32, err error) {
	err = s.read(ctx, "vector", func(c *conn) error {
		return c.each("VectorOfOrd", []any{ord}, func(r row) error {
			halves := r.ColumnRawBlob(0)
			vector = make([]float32, len(halves)/2)
			for i := range vector {
				vector[i] = store.Widen(binary.LittleEndian.Uint16(halves[2*i:]))
			}
			return nil
		})
	})
	return vector, err
}
