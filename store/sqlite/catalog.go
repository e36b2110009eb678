package sqlite

import (
	"context"
	"sync/atomic"

	"github.com/google/uuid"
	"github.com/ncruces/go-sqlite3"
	"golang.org/x/sync/semaphore"

	"lens/store"
)

// catalogCache keeps the catalog of the latest commit that was read.
type catalogCache struct {
	loading *semaphore.Weighted              // of 1: its holder may load
	latest  atomic.Pointer[versionedCatalog] // nil: not loaded yet
}

// versionedCatalog is a catalog and the value of the counter 'turns' when it was loaded.
type versionedCatalog struct {
	*store.Catalog
	turns int64
}

// Catalog implements store.Reader. While nothing changes, it only reads two counters.
func (s *Store) Catalog(ctx context.Context) (catalog *store.Catalog, err error) {
	err = s.read(ctx, "catalog", func(c *conn) error {
		catalog, err = s.catalogIn(ctx, c)
		return err
	})
	return catalog, err
}

// catalogIn returns the catalog as of the commit that c reads. It does not block while the archive is
// unchanged.
func (s *Store) catalogIn(ctx context.Context, c *conn) (*store.Catalog, error) {
	version, err := c.number("Counter", "version")
	if err != nil {
		return nil, err
	}
	if cached := s.catalog.latest.Load(); cached != nil && cached.Version == version {
		return cached.Catalog, nil
	}
	if err := s.catalog.loading.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer s.catalog.loading.Release(1)
	return s.loadCatalog(c, version)
}

// loadCatalog returns the catalog of version, which is the commit that c reads. It caches the result
// unless the cache holds a newer one.
func (s *Store) loadCatalog(c *conn, version int64) (*store.Catalog, error) {
	cached := s.catalog.latest.Load()
	if cached != nil && cached.Version == version {
		return cached.Catalog, nil
	}
	turns, err := c.number("Counter", "turns")
	if err != nil {
		return nil, err
	}
	isNewest := cached == nil || cached.Version < version
	var catalog *store.Catalog
	if cached != nil && cached.turns == turns { // only vectors changed
		renewed := *cached.Catalog
		renewed.Version = version
		catalog = &renewed
	} else if catalog = s.files.readCatalog(turns, version); catalog == nil {
		rows, err := c.catalogRows()
		if err != nil {
			return nil, err
		}
		catalog = store.NewCatalog(version, rows)
		if isNewest {
			s.files.writeCatalog(catalog, turns)
		}
	}
	if isNewest {
		s.catalog.latest.Store(&versionedCatalog{catalog, turns})
	}
	return catalog, nil
}

// catalogRows reads the small columns of all turns in file order: sorting them by time in memory is
// cheaper than reading through an index. Splitting the work over a second connection was measured and
// gained nothing.
func (c *conn) catalogRows() ([]store.CatalogRow, error) {
	last, err := c.number("LastOrd")
	if err != nil {
		return nil, err
	}
	conversations, err := c.conversationsByNumber()
	if err != nil {
		return nil, err
	}
	sources, err := c.sourcesByNumber(len(conversations))
	if err != nil {
		return nil, err
	}
	rows := make([]store.CatalogRow, 0, last)
	err = c.each("CatalogRows", nil, func(r row) error {
		conversation, micros := r.ColumnInt64(2), r.ColumnInt64(6)
		if conversation <= 0 || conversation >= int64(len(conversations)) {
			return sqlite3.CORRUPT
		}
		rows = append(rows, store.CatalogRow{
			Ord:          store.Ord(r.ColumnInt64(0)),
			ID:           r.id(1),
			Conversation: conversations[conversation],
			Source:       sources[conversation],
			Position:     int32(r.ColumnInt64(3)),
			Flags:        store.Flag(r.ColumnInt64(4)),
			Length:       int32(r.ColumnInt64(5)),
			Time:         micros,
			Undated:      micros == 0 && r.null(6),
		})
		return nil
	})
	return rows, err
}

// conversationsByNumber returns the ids of all conversations, indexed by their numbers.
func (c *conn) conversationsByNumber() ([]uuid.UUID, error) {
	last, err := c.number("LastConversation")
	if err != nil {
		return nil, err
	}
	ids := make([]uuid.UUID, last+1)
	err = c.each("ConversationNumbers", nil, func(r row) error {
		ids[r.ColumnInt64(0)] = r.id(1)
		return nil
	})
	return ids, err
}

// sourcesByNumber returns the sources of all conversations, indexed by their numbers, which are below
// n.
func (c *conn) sourcesByNumber(n int) ([]store.Source, error) {
	sources := make([]store.Source, n)
	latest := store.Source("")
	err := c.each("ConversationSources", nil, func(r row) error {
		if name := r.ColumnRawText(1); string(name) != string(latest) {
			latest = store.Source(name)
		}
		if number := r.ColumnInt64(0); number < int64(n) {
			sources[number] = latest
		}
		return nil
	})
	return sources, err
}
