package sqlite

import (
	"cmp"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"lens/store"
	"lens/store/vecindex"
)

// An index file is named and tagged with what it was made from: generation, its counter 'changed', and the last seq. It holds as
// long as 'changed' stands still; vectors with a greater seq are the tail, which is kept in memory.

// tag is what the index file of gen must say.
func (g generation) tag() vecindex.Tag { return vecindex.Tag{int64(g.id), g.changed, g.last} }

func indexName(tag vecindex.Tag) string {
	return fmt.Sprintf("vectors-%d-%d-%d.idx", tag[0], tag[1], tag[2])
}

// tailLimit is how many vectors may be searched beside an index of n before a new one is made.
func tailLimit(n int) int { return max(1024, n/32) }

// findBase sets next's base: last's, that of a file, or one made now.
func (s *Store) findBase(c *conn, next, last *dense) error {
	if last != nil && last.gen.id == next.gen.id && last.gen.changed == next.gen.changed && c.fits(next, last.base.index) {
		return nil
	}
	for _, path := range indexFiles(s.dir, next.gen) {
		index, err := vecindex.Open(path)
		if err != nil {
			continue // damaged or gone: the next one, or a new one
		}
		if c.fits(next, index) {
			return nil
		}
		_ = index.Close()
	}
	return s.makeBase(c, next)
}

// fits sets next's base to index if that is the right one and near enough to the present.
func (c *conn) fits(next *dense, index *vecindex.Index) bool {
	tag := index.Tag
	if tag[0] != int64(next.gen.id) || tag[1] != next.gen.changed || tag[2] > next.gen.last || index.Dim != next.gen.dim {
		return false
	}
	added, err := c.vectorsAfter(next, tag[2])
	if err != nil || len(added) > tailLimit(index.Len()) {
		return false
	}
	var ok bool
	next.base, ok = newPart(index, next.catalog)
	return ok
}

// makeBase makes the index of all vectors: a file, or in memory where no file can be written.
func (s *Store) makeBase(c *conn, next *dense) (err error) {
	all, err := c.vectorsOf(next)
	if err != nil {
		return err
	}
	index, err := s.writeIndex(c, next, all)
	if err != nil {
		if index, err = c.readVectors(next.gen.dim, all); err != nil {
			return err
		}
		index.Tag = next.gen.tag()
	}
	var ok bool
	if next.base, ok = newPart(index, next.catalog); !ok {
		_ = index.Close()
		return fmt.Errorf("index of generation %d: %w", next.gen.id, vecindex.ErrDamaged)
	}
	return nil
}

func (s *Store) writeIndex(c *conn, next *dense, all []vectorAt) (*vecindex.Index, error) {
	if s.readOnly {
		return nil, errReadOnly
	}
	name := indexName(next.gen.tag())
	path := filepath.Join(s.dir, name)
	if err := vecindex.Write(path, next.gen.dim, next.gen.tag(), ords(all), c.halves(all)); err != nil {
		return nil, err
	}
	removeIndexes(s.dir, name)
	return vecindex.Open(path)
}

// loadTail reads the vectors that next's base does not hold.
func (c *conn) loadTail(next *dense) (part, error) {
	added, err := c.vectorsAfter(next, next.base.index.Tag[2])
	if err != nil {
		return part{}, err
	}
	index, err := c.readVectors(next.gen.dim, added)
	if err != nil {
		return part{}, err
	}
	tail, ok := newPart(index, next.catalog)
	if !ok {
		return part{}, fmt.Errorf("tail of generation %d: %w", next.gen.id, vecindex.ErrDamaged)
	}
	return tail, nil
}

// vectorAt is where a vector lies in SQL, and whose it is.
type vectorAt struct {
	seq int64
	ord store.Ord
	row int // of the catalog
}

func (c *conn) vectorsOf(d *dense) ([]vectorAt, error) {
	return c.vectorsIn(d.catalog, "VectorSeqs", d.gen.id)
}

func (c *conn) vectorsAfter(d *dense, seq int64) ([]vectorAt, error) {
	return c.vectorsIn(d.catalog, "VectorSeqsAfter", d.gen.id, seq)
}

// vectorsIn returns the vectors that a query names, in catalog order.
func (c *conn) vectorsIn(catalog *store.Catalog, name string, args ...any) (all []vectorAt, err error) {
	err = c.each(name, args, func(r row) error {
		v := vectorAt{seq: r.ColumnInt64(0), ord: store.Ord(r.ColumnInt64(1))}
		var ok bool
		if v.row, ok = catalog.Row(v.ord); ok {
			all = append(all, v)
		}
		return nil
	})
	slices.SortFunc(all, func(a, b vectorAt) int { return cmp.Compare(a.row, b.row) })
	return all, err
}

func ords(all []vectorAt) []store.Ord {
	ords := make([]store.Ord, len(all))
	for i, v := range all {
		ords[i] = v.ord
	}
	return ords
}

// halves yields the halves of each vector; a slice is good until the next one.
func (c *conn) halves(all []vectorAt) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for _, v := range all {
			more := true
			err := c.each("VectorBySeq", []any{v.seq}, func(r row) error {
				more = yield(r.ColumnRawBlob(0), nil)
				return nil
			})
			if err != nil {
				yield(nil, err)
				return
			}
			if !more {
				return
			}
		}
	}
}

// readVectors makes an index in memory.
func (c *conn) readVectors(dim int, all []vectorAt) (*vecindex.Index, error) {
	rows := make([]byte, 0, 2*dim*len(all))
	for half, err := range c.halves(all) {
		if err != nil {
			return nil, err
		}
		rows = append(rows, half...)
	}
	if len(rows) != 2*dim*len(all) {
		return nil, fmt.Errorf("vectors are %d bytes instead of %d: %w", len(rows), 2*dim*len(all), vecindex.ErrDamaged)
	}
	return vecindex.New(dim, ords(all), rows), nil
}

// indexFiles returns the files that may hold the index of gen, the latest first.
func indexFiles(dir string, gen generation) []string {
	paths, _ := filepath.Glob(filepath.Join(dir, fmt.Sprintf("vectors-%d-%d-*.idx", gen.id, gen.changed)))
	slices.SortFunc(paths, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(b, a)) })
	return paths
}

// removeIndexes removes every index file but keep, as far as it can: on Windows one that is mapped stays until the next time.
// What another process may just be writing is left alone, unless nothing is to be kept.
func removeIndexes(dir, keep string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if e.Name() == keep || !strings.HasPrefix(e.Name(), "vectors-") {
			continue
		}
		if keep != "" && strings.HasSuffix(e.Name(), ".tmp") && fresh(e) {
			continue
		}
		_ = os.Remove(filepath.Join(dir, e.Name()))
	}
}

func fresh(e os.DirEntry) bool {
	info, err := e.Info()
	return err == nil && time.Since(info.ModTime()) < time.Hour
}
