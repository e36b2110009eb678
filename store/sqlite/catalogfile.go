package sqlite

import (
	"fmt"
	"os"
	"path/filepath"

	"lens/store"
)

// keptTurns is from how many turns on a catalog is kept in a file: fewer are read from the tables as quickly.
const keptTurns = 10_000

// A catalog file is named and tagged with the counter 'turns': like a vector index it is a cache, written when there is none of
// the present turns.

func (s *Store) catalogPath(turns int64) string {
	return filepath.Join(s.dir, fmt.Sprintf("catalog-%d.idx", turns))
}

// keptCatalog returns the catalog from its file; nil when there is none, or a damaged one.
func (s *Store) keptCatalog(turns, version int64) *store.Catalog {
	file, err := os.ReadFile(s.catalogPath(turns))
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
	path := s.catalogPath(turns)
	f, err := os.CreateTemp(s.dir, "catalog-*.tmp") // mode 0600
	if err != nil {
		return
	}
	_, err = f.Write(store.EncodeCatalog(catalog, turns))
	if failed := f.Close(); err != nil || failed != nil || os.Rename(f.Name(), path) != nil {
		_ = os.Remove(f.Name())
		return
	}
	removeCaches(s.dir, "catalog-", filepath.Base(path))
}
