package sqlite

import (
	"fmt"

	"lens/store"
)

// minCatalogFileTurns is from how many turns on a catalog is kept in a file: fewer are read from the tables as quickly.
const minCatalogFileTurns = 10_000

// A catalog file is named and tagged with the counter 'turns': like a vector index it is a cache, written when there is none of
// the present turns.

func catalogName(turns int64) string { return fmt.Sprintf("catalog-%d.idx", turns) }

// readCatalogFile returns the catalog from its file; nil when there is none, or a damaged one.
func (s *Store) readCatalogFile(turns, version int64) *store.Catalog {
	if s.image != "" {
		return nil // it has no folder
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

// writeCatalogFile writes the file, in place of those of other turns. Where it cannot be written, the tables are read again next time.
func (s *Store) writeCatalogFile(catalog *store.Catalog, turns int64) {
	if s.readOnly || catalog.Len() < minCatalogFileTurns {
		return
	}
	name := catalogName(turns)
	if s.writeCache(name, store.EncodeCatalog(catalog, turns)) == nil {
		removeCaches(s.dir, "catalog-", name)
	}
}
