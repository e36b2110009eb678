package sqlite

import (
	"context"
	"iter"

	"lens/internal/errs"
	"lens/store"
	"lens/store/failure"
)

// A search builds an index that is missing, and waits for it: seconds, where there are many vectors. An embedding run
// builds it at once.

var _ store.VectorIndexer = (*Store)(nil)

// minIndexed is the largest number of vectors whose index is not built ahead: a search builds it in no time.
const minIndexed = 2000

// indexing is a build of the index that no search waits for.
type indexing struct {
	progress func(done, total int) // may be nil
}

// watch reports the progress through rows, of which there are total.
func (i *indexing) watch(rows iter.Seq2[[]byte, error], total int) iter.Seq2[[]byte, error] {
	if i == nil || i.progress == nil {
		return rows
	}
	return func(yield func([]byte, error) bool) {
		done := 0
		for row, err := range rows {
			if done%1024 == 0 {
				i.progress(done, total)
			}
			if !yield(row, err) {
				return
			}
			done++
		}
		i.progress(done, total)
	}
}

// IndexVectors implements store.VectorIndexer.
func (s *Store) IndexVectors(ctx context.Context, progress func(done, total int)) error {
	n, err := s.countActive(ctx)
	if err == nil && n > minIndexed {
		err = s.refreshDense(ctx, "index vectors", &indexing{progress})
	}
	if err == nil {
		return nil
	}
	return failure.NotIndexed("sqlite: index vectors", err,
		"run lens embed to build it; until then, the first search by meaning takes longer")
}

// UnindexedVectors implements store.VectorIndexer.
func (s *Store) UnindexedVectors(ctx context.Context) (n int, err error) {
	if n, err = s.countActive(ctx); err != nil || n <= minIndexed {
		return 0, err
	}
	err = s.read(ctx, "unindexed vectors", func(c *conn) error {
		catalog, err := s.catalogIn(ctx, c)
		if err != nil {
			return err
		}
		gen, err := c.activeGeneration()
		if err != nil {
			return err
		}
		for _, path := range s.files.indexes(gen) {
			index, err := s.files.openIndex(path)
			if err != nil {
				continue // damaged or gone
			}
			if c.fits(&dense{catalog: catalog, gen: gen}, index, nil) {
				n = 0
			}
			if err := index.Close(); err != nil || n == 0 {
				return err
			}
		}
		return nil
	})
	return n, err
}

// countActive returns how many vectors the active generation has; 0 without one.
func (s *Store) countActive(ctx context.Context) (n int, err error) {
	err = s.read(ctx, "index vectors", func(c *conn) error {
		gen, err := c.activeGeneration()
		if errs.CodeOf(err) == errs.NotFound {
			return nil // there is none
		}
		if err != nil {
			return err
		}
		count, err := c.number("CountVectorsAfter", gen.id, 0)
		n = int(count)
		return err
	})
	return n, err
}
