//go:build unix

package vecindex

import (
	"errors"
	"os"
	"testing"

	"lens/store/vecindex/vectest"
)

func TestCatchFault_TruncatedFile(t *testing.T) {
	for _, shape := range []struct{ dim, rows int }{{16, 500}, {64, 20_000}, {1024, 3000}} { // ranked whole; with steps; with signs
		_, path := written(t, shape.dim, shape.rows)
		x, err := Open(path)
		must(t, err)
		query := vectest.New(1, shape.dim).Query()
		for range 2 { // unread, and read before
			must(t, os.Truncate(path, 0))
			if _, err := x.Search(t.Context(), query, RowRange{Hi: shape.rows}, 10); !errors.Is(err, ErrDamaged) {
				t.Errorf("%v: search: %v", shape, err)
			}
			if _, err := x.Similarity(query, shape.rows-1); !errors.Is(err, ErrDamaged) {
				t.Errorf("%v: similarity: %v", shape, err)
			}
			must(t, x.Close())
			_, path = written(t, shape.dim, shape.rows)
			x, err = Open(path)
			must(t, err)
			_, err = x.Search(t.Context(), query, RowRange{Hi: shape.rows}, 10)
			must(t, err)
		}
		must(t, x.Close())
	}
}

func TestCatchFault_OtherPanicsPassThrough(t *testing.T) {
	for name, fn := range map[string]func() error{
		"a bug":         func() error { panic("a bug") },
		"a nil pointer": func() error { return (*Index)(nil).Close() },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s was kept quiet", name)
				}
			}()
			_ = CatchFault(fn)
		}()
	}
}
