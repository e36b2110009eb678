package sqlite

import (
	"fmt"

	"lens/store"
)

// keptTurns is from how many turns on a catalog is kept in a file: fewer are read from the tables as quickly.
const keptTurns = 10_000

// A catalog file is named and tagged with the counter 'turns': like a vector index it is a cache, written when there is none of
// the present turns.

func catalogName(turns int64) string { return fmt.Sprintf("catalog-%d.idx", turns) }

// keptCatalog returns the catalog from its file; nil when there is none, or a damaged one.
func (s *Store) keptCatalog(turns, version int64) *store.Catalog {
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

// keepCatalog writes the file, in place of those of other turns. Where it cannot be written, the tables are read again next time.
func (s *Store) keepCatalog(catalog *store.Catalog, turns int64) {
	if s.readOnly || catalog.Len() < keptTurns {
		return
	}
	name := catalogName(turns)
	if s.keepCache(name, store.EncodeCatalog(catalog, turns)) == nil {
		removeCaches(s.dir, "catalog-", name)
	}
}
