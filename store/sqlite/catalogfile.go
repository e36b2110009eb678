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

// readCatalog returns the catalog from its file; nil if the file is missing or damaged.
func (f cacheFiles) readCatalog(turns, version int64) *store.Catalog {
	file, err := f.read(catalogName(turns))
	if err != nil {
		return nil
	}
	catalog, err := store.DecodeCatalog(file, turns, version)
	if err != nil {
		return nil
	}
	return catalog
}

// writeCatalog replaces the catalog file. If it cannot be written, the next process reads the
// tables again.
func (f cacheFiles) writeCatalog(catalog *store.Catalog, turns int64) {
	if f.readOnly || catalog.Len() < minCatalogFileTurns {
		return
	}
	name := catalogName(turns)
	if f.write(name, store.EncodeCatalog(catalog, turns)) == nil {
		f.remove("catalog-", name)
	}
}
