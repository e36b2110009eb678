package sqlite

import (
	"fmt"
	"testing"

	"lens/store"
)

// addSegments adds n keyword segments of several kilobytes in one transaction.
func addSegments(tb testing.TB, s *Store, n int) {
	tb.Helper()
	must(tb, s.Update(tb.Context(), func(tx store.Tx) error {
		for i := range n {
			counts := []store.TermCount{{Term: "shared", Count: 1}}
			for j := range 300 {
				counts = append(counts, store.TermCount{Term: fmt.Sprintf("word%03dof%04d", j, i), Count: 1})
			}
			if err := tx.AddTerms(tb.Context(), []store.Ord{store.Ord(i + 1)}, [][]store.TermCount{counts}); err != nil {
				return err
			}
		}
		return nil
	}))
}

func TestOptimize_MergesInLittleMemory(t *testing.T) {
	const segments = 1500
	s := openIn(t, Options{Dir: t.TempDir()})
	must(t, s.writer.Exec("PRAGMA cache_size = -2048"))
	s.writer.HardHeapLimit(12 << 20) // merging all of them at once needs 20 MiB
	addSegments(t, s, segments)
	must(t, s.Optimize(t.Context()))
	left, err := s.writer.segments()
	must(t, err)
	if len(left) != 1 {
		t.Errorf("%d segments are left", len(left))
	}
}
