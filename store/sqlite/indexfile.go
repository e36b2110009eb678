package sqlite

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"

	"lens/store"
	"lens/store/failure"
	"lens/store/vecindex"
)

// An index file is named and tagged with the state that it was built from: the generation, its counter 'changed',
// the last seq and the creation time of that vector. While 'changed' stays the same, all rows are live, and the
// vectors with a greater seq form the tail, which is kept in memory. After 'changed' has moved, seqs identify the
// live rows, since a seq is never reused. A vector whose turn has a new ordinal belongs to the tail. An archive
// restored from a backup may assign a seq of the file to another vector, which then has another creation time.

// tag returns the tag of an index file for gen.
func (g generation) tag() vecindex.Tag { return vecindex.Tag{int64(g.id), g.changed, g.last, g.stamp} }

func indexName(tag vecindex.Tag) string {
	return fmt.Sprintf("vectors-%d-%d-%d.idx", tag[0], tag[1], tag[2])
}

// tailLimit is the maximum number of vectors outside an index of n, plus dead ones in it, before it is
// rebuilt.
func tailLimit(n int) int { return max(1024, n/32) }

// indexState compares an index file with its generation as of the counter 'changed'.
type indexState struct {
	changed int64
	ords    []store.Ord // the turn of each row, 0 for a dead one
	dead    int
	missing []vectorRef // vectors no newer than the file, but not in it under their present ordinal
}

// findBase sets next's base: last's, one from a file, or a new one.
func (s *Store) findBase(c *conn, next, last *dense, asked *indexing) error {
	if last != nil && c.fits(next, last.base.index, last) {
		return nil
	}
	for _, path := range s.files.indexes(next.gen) {
		index, err := s.files.openIndex(path)
		if err != nil {
			continue // damaged or gone: try the next one
		}
		if c.fits(next, index, nil) {
			return nil
		}
		_ = index.Close()
	}
	return s.makeBase(c, next, last, asked)
}

// fits reports whether index belongs to this archive and is close enough to its present state. If so,
// it becomes next's base. last is the dense that used the index as its base, nil for none.
func (c *conn) fits(next *dense, index *vecindex.Index, last *dense) bool {
	tag := index.Tag
	if tag[0] != int64(next.gen.id) || tag[1] > next.gen.changed || tag[2] > next.gen.last || index.Dim != next.gen.dim {
		return false
	}
	if stamp, err := c.number("VectorMade", tag[2]); err != nil || stamp != tag[3] {
		return false
	}
	var err error
	if last != nil && last.state.changed == next.gen.changed {
		next.state = last.state
	} else if next.state, err = c.loadIndexState(next, index); err != nil {
		return false
	}
	added, err := c.number("CountVectorsAfter", next.gen.id, tag[2])
	if err != nil || int(added)+len(next.state.missing)+next.state.dead > tailLimit(index.Len()) {
		return false
	}
	var ok bool
	next.base, ok = newPart(index, next.state.ords, next.catalog)
	return ok
}

// loadIndexState compares an index file with the stored vectors, unless none can have been removed.
func (c *conn) loadIndexState(next *dense, index *vecindex.Index) (indexState, error) {
	state := indexState{changed: next.gen.changed, ords: make([]store.Ord, index.Len())}
	if index.Tag[1] == next.gen.changed {
		for i := range state.ords {
			state.ords[i] = index.Ord(i)
		}
		return state, nil
	}
	all, err := c.vectorsOf(next)
	if err != nil {
		return state, err
	}
	there := make(map[int64]vectorRef, len(all))
	for _, v := range all {
		if v.seq <= index.Tag[2] {
			there[v.seq] = v
		}
	}
	for i := range state.ords {
		v, ok := there[index.Key(i)]
		if !ok || v.ord != index.Ord(i) {
			state.dead++
			continue
		}
		state.ords[i] = v.ord
		delete(there, v.seq)
	}
	for _, v := range there {
		state.missing = append(state.missing, v)
	}
	return state, nil
}

// makeBase builds the index of all vectors: in a file or, for a search, in memory if no file can be written.
func (s *Store) makeBase(c *conn, next, last *dense, asked *indexing) (err error) {
	all, err := c.vectorsOf(next)
	if err != nil {
		return err
	}
	contents := c.contents(next, all, last)
	contents.Rows = asked.watch(contents.Rows, len(all))
	index, err := s.files.writeIndex(contents)
	if asked != nil && err != nil {
		return err
	}
	if err != nil {
		if index, err = vecindex.New(contents); err != nil {
			return err
		}
	}
	next.state = indexState{changed: next.gen.changed, ords: contents.Ords}
	var ok bool
	if next.base, ok = newPart(index, contents.Ords, next.catalog); !ok {
		_ = index.Close()
		return fmt.Errorf("index of generation %d: %w", next.gen.id, vecindex.ErrDamaged)
	}
	return nil
}

func (f cacheFiles) writeIndex(contents vecindex.Contents) (*vecindex.Index, error) {
	if f.readOnly {
		return nil, failure.ErrReadOnly
	}
	name := indexName(contents.Tag)
	path := filepath.Join(f.dir, name)
	if f.encryption != nil {
		return f.writeEncrypted(name, contents)
	}
	if err := vecindex.Write(path, contents); err != nil {
		return nil, err
	}
	f.remove("vectors-", name)
	return vecindex.Open(path)
}

// openIndex maps an index file, or decrypts it into memory.
func (f cacheFiles) openIndex(path string) (*vecindex.Index, error) {
	if f.encryption == nil {
		return vecindex.Open(path)
	}
	file, err := f.read(filepath.Base(path))
	if err != nil {
		return nil, err
	}
	return vecindex.Decode(file)
}

// writeEncrypted writes an encrypted index file, if possible, and returns the index from memory.
func (f cacheFiles) writeEncrypted(name string, contents vecindex.Contents) (*vecindex.Index, error) {
	file, err := vecindex.Encode(contents)
	if err != nil {
		return nil, err
	}
	if f.write(name, file) == nil { // otherwise the next process builds it again
		f.remove("vectors-", name)
	}
	return vecindex.Decode(file)
}

// indexes returns the paths of the files that may hold the index of gen, latest first.
func (f cacheFiles) indexes(gen generation) []string {
	if f.dir == "" {
		return nil
	}
	paths, _ := filepath.Glob(filepath.Join(f.dir, fmt.Sprintf("vectors-%d-*.idx", gen.id)))
	slices.SortFunc(paths, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(b, a)) })
	return paths
}
