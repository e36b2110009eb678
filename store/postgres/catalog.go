package postgres

import (
	"context"

	"github.com/google/uuid"
	"golang.org/x/sync/semaphore"

	"lens/store"
)

// catalogCache keeps the catalog of the latest commit that was read.
type catalogCache struct {
	loading *semaphore.Weighted // of 1: its holder may read and load
	catalog *store.Catalog
	turns   int64 // the counter 'turns' when it was loaded
}

// Catalog implements store.Reader. While nothing changes, it only reads two counters.
func (s *Store) Catalog(ctx context.Context) (catalog *store.Catalog, err error) {
	err = s.read(ctx, "catalog", func(c *conn) error {
		if catalog, err = s.cachedCatalog(ctx, c); err != nil || catalog != nil {
			return err
		}
		return c.snapshot(ctx, func() error {
			catalog, err = s.catalogIn(ctx, c)
			return err
		})
	})
	return catalog, err
}

// catalogIn returns the catalog as of the commit that c reads.
func (s *Store) catalogIn(ctx context.Context, c *conn) (*store.Catalog, error) {
	if cached, err := s.cachedCatalog(ctx, c); err != nil || cached != nil {
		return cached, err
	}
	version, turns, err := c.counters(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.catalog.loading.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer s.catalog.loading.Release(1)
	if cached := s.catalog.refreshed(version, turns); cached != nil { // loaded while this call waited
		return cached, nil
	}
	rows, err := c.catalogRows(ctx)
	if err != nil {
		return nil, err
	}
	catalog := store.NewCatalog(version, rows)
	s.catalog.keep(catalog, turns)
	return catalog, nil
}

// cachedCatalog returns the cached catalog if it is current, else nil.
func (s *Store) cachedCatalog(ctx context.Context, c *conn) (*store.Catalog, error) {
	version, turns, err := c.counters(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.catalog.loading.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer s.catalog.loading.Release(1)
	return s.catalog.refreshed(version, turns), nil
}

// refreshed returns the cached catalog, under a new version if only vectors changed; nil if turns
// changed.
func (k *catalogCache) refreshed(version, turns int64) *store.Catalog {
	switch {
	case k.catalog == nil || k.turns != turns:
		return nil
	case k.catalog.Version == version:
		return k.catalog
	}
	renewed := *k.catalog
	renewed.Version = version
	k.keep(&renewed, turns)
	return &renewed
}

// keep caches a catalog unless the cached one is newer: a long read may still see an old commit.
func (k *catalogCache) keep(catalog *store.Catalog, turns int64) {
	if k.catalog == nil || k.catalog.Version < catalog.Version {
		k.catalog, k.turns = catalog, turns
	}
}

func (c *conn) counters(ctx context.Context) (version, turns int64, err error) {
	err = c.each(ctx, "Counters", nil, func(r row) error {
		version, turns = r.number(0), r.number(1)
		return nil
	})
	return version, turns, err
}

// catalogRows reads the small columns of all turns in table order.
func (c *conn) catalogRows(ctx context.Context) ([]store.CatalogRow, error) {
	n, err := c.number(ctx, "CountTurns")
	if err != nil {
		return nil, err
	}
	sources := make(map[uuid.UUID]store.Source)
	err = c.each(ctx, "ConversationSources", nil, func(r row) error {
		sources[r.id(0)] = store.Source(r[1])
		return nil
	})
	if err != nil {
		return nil, err
	}
	rows := make([]store.CatalogRow, 0, n)
	err = c.each(ctx, "CatalogRows", nil, func(r row) error {
		conversation := r.id(2)
		rows = append(rows, store.CatalogRow{
			Ord: store.Ord(r.number(0)), ID: r.id(1), Position: int32(r.number(3)),
			Conversation: conversation, Source: sources[conversation],
			Flags: store.Flag(r.number(4)), Length: int32(r.number(5)), Undated: r.null(6), Time: r.number(6),
		})
		return nil
	})
	return rows, err
}
