package postgres

import (
	"context"

	"lens/store"
)

// Vector returns a turn's vector in the active generation, nil if it has none.
func (s *Store) Vector(ctx context.Context, ord store.Ord) (vector []float32, err error) {
	err = s.read(ctx, "vector", func(c *conn) error {
		return c.each(ctx, "VectorOfOrd", []any{int64(ord)}, func(r row) error {
			halves := r.halves(0)
			vector = make([]float32, len(halves))
			for i, h := range halves {
				vector[i] = store.Widen(h)
			}
			return nil
		})
	})
	return vector, err
}
