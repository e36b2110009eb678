package sqlite

import (
	"fmt"
	"testing"

	"lens/store"
)

// addSegments adds n keyword segments of several kilobytes in one transaction.
func addSegments(tb testing.TB, s *Store, n int) {
	tb.Helper()
	must(tb, s.Update(tb.Context(), func(w store.Tx) error {
		tx := w.(*tx)
		for i := range n {
			counts := []store.TermCount{{Term: "shared", Count: 1}}
			for j := range 300 {
				counts = append(counts, store.TermCount{Term: fmt.Sprintf("word%03dof%04d", j, i), Count: 1})
			}
			if err := tx.AddTerms(tb.Context(), []store.Ord{store.Ord(i + 1)}, store.ListTerms(counts)); err != nil {
				return err
			}
			if err := tx.writeSegments(); err != nil {
				return err
			}
		}
		return nil
	}))
}

func TestUpdate_FewSegments(t *testing.T) {
	s := openIn(t, Options{Dir: t.TempDir()})
	counts := make([]store.TermCount, postingsPerSegment/10)
	for i := range counts {
		counts[i] = store.TermCount{Term: fmt.Sprintf("word%06d", i), Count: 1}
	}
	must(t, s.Update(t.Context(), func(tx store.Tx) error {
		for i := range 15 {
			if err := tx.AddTerms(t.Context(), []store.Ord{store.Ord(i + 1)}, store.ListTerms(counts)); err != nil {
				return err
			}
		}
		return nil
	}))
	segments, err := s.writer.segments()
	must(t, err)
	if len(segments) != 2 {
		t.Errorf("%d segments, want one full one and the rest", len(segments))
	}
	lists, err := s.Postings(t.Context(), []string{"word000000"})
	must(t, err)
	if len(lists[0].Ords) != 15 {
		t.Errorf("%d turns have the term, want 15", len(lists[0].Ords))
	}
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

func TestOptimize_TakesNoMoreSpace(t *testing.T) {
	s := openIn(t, Options{Dir: t.TempDir()})
	must(t, s.writer.Exec(`
		WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 200)
		INSERT INTO turns (ord, id, conversation, user_message_id, position, on_active_path, embeddable, length,
			time_source, model_slug, hash, created_at)
		SELECT n, randomblob(16), 1, x'', n, true, true, 300, 0, '', x'', 0 FROM numbers`))
	addSegments(t, s, 200)
	before := pages(t, s)
	must(t, s.Optimize(t.Context()))
	after := pages(t, s)
	if after > before+before/20 {
		t.Errorf("merging made the database of %d pages one of %d", before, after)
	}
}

// pages returns the size of the database, also of what is still in the log.
func pages(t *testing.T, s *Store) int {
	t.Helper()
	stmt, _, err := s.writer.Prepare("PRAGMA page_count")
	must(t, err)
	defer stmt.Close()
	if !stmt.Step() {
		t.Fatal("no page count:", stmt.Err())
	}
	return stmt.ColumnInt(0)
}
