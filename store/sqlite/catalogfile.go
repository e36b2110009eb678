package sqlite

import (
	"fmt"

	"lens/store"
)

// minCatalogFileTurns is the number of turns from which a catalog file pays: fewer are read from the
// tables as fast.
const minCatalogFileTurns = 10_000

// A catalog file is named and tagged with the counter 'turns'. Like a vector index it is a cache, written when
// there is none for the present counter.

func catalogName(turns int64) string { return fmt.Sprintf("catalog-%d.idx", turns) }

// readCatalogFile returns the catalog from its file; nil if the file is missing or damaged.
func (s *Store) readCatalogFile(turns, version int64) *store.Catalog {
	if s.image != "" {
		return nil // it has no directory
	}
	file, err := s.readCache(catalogName(turns))
	if err != nil {
		return nil
	}
	catalog, err := store.DecodeCatalog(file, turns, version)
	if err != nil {
		return nil
	}
	return catalog
}

// writeCatalogFile replaces the catalog file. If it cannot be written, the next process reads the
// tables again.
func (s *Store) writeCatalogFile(catalog *store.Catalog, turns int64) {
	if s.readOnly || catalog.Len() < minCatalogFileTurns {
		return
	}
	name := catalogName(turns)
	if s.writeCache(name, store.EncodeCatalog(catalog, turns)) == nil {
		removeCaches(s.dir, "catalog-", name)
	}
}
