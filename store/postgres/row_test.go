package postgres

import (
	"slices"
	"strings"
	"testing"

	"lens/store/postgres/pgtest"
)

func TestRowSigns_DimensionOrder(t *testing.T) {
	s := openAt(t, Options{URL: pgtest.Database(t)})
	const dim = 100
	values, want := make([]string, dim), make([]uint64, 2)
	for i := range values {
		values[i] = "-1"
		if i%3 == 0 || i == dim-1 {
			values[i] = "1"
			want[i/64] |= 1 << (i % 64)
		}
	}
	var signs []uint64
	must(t, s.read(t.Context(), "test", func(c *conn) error {
		rows, err := c.Query(t.Context(), "SELECT binary_quantize($1::text::vector)", "["+strings.Join(values, ",")+"]")
		must(t, err)
		defer rows.Close()
		for rows.Next() {
			signs = row(rows.RawValues()).signs(0)
		}
		return rows.Err()
	}))
	if !slices.Equal(signs, want) {
		t.Errorf("got %b, want %b", signs, want)
	}
}
