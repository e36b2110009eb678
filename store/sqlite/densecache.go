package sqlite

import (
	"context"
	"errors"
	"sync"

	"golang.org/x/sync/semaphore"

	"lens/store"
	"lens/store/failure"
	"lens/store/vecindex"
)

// denseCache keeps the index of the latest commit that was read.
type denseCache struct {
	refreshing *semaphore.Weighted // of 1: its holder may refresh

	mu     sync.RWMutex // every search holds it for reading, so that its index stays open
	latest *dense
}

// withDense calls fn with an index of a version of the archive or a later one. It rebuilds an index file that turns
// out to be damaged, once.
func (s *Store) withDense(ctx context.Context, op string, version int64, fn func(*dense) error) error {
	err := s.tryDense(ctx, op, version, fn)
	if errors.Is(err, vecindex.ErrDamaged) {
		err = s.dropIndexes()
		if err == nil {
			err = s.tryDense(ctx, op, version, fn)
		}
	}
	return s.explain(ctx, op, err)
}

func (s *Store) tryDense(ctx context.Context, op string, version int64, fn func(*dense) error) error {
	for {
		if found, err := s.dense.use(version, fn); found {
			return err
		}
		if err := s.refreshDense(ctx, op, nil); err != nil {
			return err
		}
		version = 0 // the index is of the latest commit, unless it is dropped meanwhile
	}
}

// use calls fn with the latest index; false if there is none, or only of an earlier version.
func (d *denseCache) use(version int64, fn func(*dense) error) (bool, error) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if d.latest == nil || d.latest.catalog.Version < version {
		return false, nil
	}
	return true, fn(d.latest)
}

// swap waits for running searches, replaces the latest index and closes it unless the next one shares
// it.
func (d *denseCache) swap(next *dense) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	last := d.latest
	d.latest = next
	if last == nil || next != nil && next.base.index == last.base.index {
		return nil
	}
	return last.base.index.Close()
}

// refreshDense makes sure that the latest index belongs to the latest commit or a newer one. It does
// not block if it does. asked is nil for a search.
func (s *Store) refreshDense(ctx context.Context, op string, asked *indexing) error {
	return s.read(ctx, op, func(c *conn) error {
		catalog, err := s.catalogIn(ctx, c)
		if err != nil || s.dense.isCurrent(catalog.Version) {
			return err
		}
		if err := s.dense.refreshing.Acquire(ctx, 1); err != nil {
			return err
		}
		defer s.dense.refreshing.Release(1)
		last := s.dense.latest // only the holder of refreshing changes it
		if last != nil && last.catalog.Version >= catalog.Version {
			return nil
		}
		next, err := s.loadDense(c, catalog, last, asked)
		if err != nil {
			return err
		}
		return s.dense.swap(next)
	})
}

// isCurrent reports whether the latest index is of the given version of the archive or a later one.
func (d *denseCache) isCurrent(version int64) bool {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.latest != nil && d.latest.catalog.Version >= version
}

// loadDense finds or builds the index of the commit that c reads. last may be nil; its valid parts are
// reused.
func (s *Store) loadDense(c *conn, catalog *store.Catalog, last *dense, asked *indexing) (*dense, error) {
	gen, err := c.activeGeneration()
	if err != nil {
		return nil, err
	}
	next := &dense{catalog: catalog, gen: gen}
	if err := s.findBase(c, next, last, asked); err != nil {
		return nil, err
	}
	if next.tail, err = c.loadTail(next, last); err != nil {
		return nil, errors.Join(err, next.discard(last))
	}
	return next, nil
}

// discard closes the index of a dense that will not be used, unless last shares it.
func (d *dense) discard(last *dense) error {
	if last != nil && last.base.index == d.base.index {
		return nil
	}
	return d.base.index.Close()
}

func (c *conn) activeGeneration() (gen generation, err error) {
	err = c.each("ActiveGeneration", nil, func(r row) error {
		gen = generation{id: store.GenerationID(r.ColumnInt64(0)), dim: r.ColumnInt(1), changed: r.ColumnInt64(2)}
		return nil
	})
	if err != nil {
		return gen, err
	}
	if gen.id == 0 {
		return gen, failure.NothingEmbedded("sqlite: search")
	}
	err = c.each("LastVector", nil, func(r row) error {
		gen.last, gen.stamp = r.ColumnInt64(0), r.ColumnInt64(1)
		return nil
	})
	return gen, err
}

// dropIndexes drops the latest index and removes all cache files.
func (s *Store) dropIndexes() error {
	if err := s.dense.refreshing.Acquire(context.Background(), 1); err != nil {
		return err
	}
	defer s.dense.refreshing.Release(1)
	err := s.dense.swap(nil)
	s.files.remove("vectors-", "")
	s.files.remove("catalog-", "")
	return err
}

func (d *denseCache) close() error { return d.swap(nil) }
