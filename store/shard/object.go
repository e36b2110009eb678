package shard

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"lens/internal/errs"
	"lens/store"
	"lens/store/sqlite"
	"lens/store/vecindex"
)

// shard is an open object.
type shard struct {
	records    *sqlite.Store
	vectors    *vecindex.Index
	catalog    *store.Catalog
	rows       []int32 // of the catalog, by row of vectors; ascending
	file       *os.File
	openedInfo os.FileInfo // state of file when it was opened
}

// changed reports whether the file has been written to. It is mapped, so its bytes may no longer be the
// verified ones.
func (s *shard) changed() bool {
	is, err := s.file.Stat()
	return err != nil || is.Size() != s.openedInfo.Size() || !is.ModTime().Equal(s.openedInfo.ModTime())
}

// openShard opens the object in the file at path, whose bytes were verified. Errors: ErrDamaged, ErrNewer,
// unavailable.
func openShard(ctx context.Context, path string) (s *shard, err error) {
	s = new(shard)
	defer func() {
		if err != nil {
			_ = s.close()
			s = nil
		}
	}()
	if s.file, err = os.Open(path); err != nil { // another process or the user has cleared the cache
		return s, &errs.Error{
			Code: errs.Unavailable, Op: "shard: open", Message: "a cached shard has disappeared",
			Hint: "try again", Err: err,
		}
	}
	if s.openedInfo, err = s.file.Stat(); err != nil {
		return s, asDamaged(err)
	}
	f, err := readFooter(s.file, s.openedInfo.Size())
	if err != nil {
		return s, err
	}
	if s.vectors, err = vecindex.OpenPrefix(path, f.vectorLength); err != nil {
		return s, asDamaged(err)
	}
	if s.records, err = sqlite.OpenImage(ctx, io.NewSectionReader(s.file, f.imageStart, f.imageLength)); err != nil {
		return s, asDamaged(err)
	}
	if s.catalog, err = s.records.Catalog(ctx); err != nil {
		return s, asDamaged(err)
	}
	if int64(s.catalog.Len()) != f.records {
		return s, fmt.Errorf("%d records of %d: %w", s.catalog.Len(), f.records, ErrDamaged)
	}
	if err := vecindex.CatchFault(s.mapRows); err != nil {
		return s, asDamaged(err)
	}
	return s, nil
}

func readFooter(f *os.File, size int64) (footer, error) {
	last := make([]byte, footerBytes)
	if _, err := f.ReadAt(last, max(0, size-footerBytes)); err != nil {
		return footer{}, fmt.Errorf("footer: %w", ErrDamaged)
	}
	return decodeFooter(last, size)
}

// mapRows finds the catalog row of every vector. They ascend.
func (s *shard) mapRows() error {
	s.rows = make([]int32, s.vectors.Len())
	for i := range s.rows {
		row, ok := s.catalog.Row(s.vectors.Ord(i))
		if !ok || i > 0 && int32(row) <= s.rows[i-1] {
			return fmt.Errorf("vectors: %w", ErrDamaged)
		}
		s.rows[i] = int32(row)
	}
	return nil
}

// asDamaged interprets an error of opening an object whose checksum is correct.
func asDamaged(err error) error {
	switch errs.CodeOf(err) {
	case errs.Invalid:
		return fmt.Errorf("%w (%v)", ErrNewer, err)
	case errs.Unavailable:
		if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
			return err
		}
	}
	return fmt.Errorf("%w (%v)", ErrDamaged, err)
}

func (s *shard) close() error {
	var failures []error
	if s.records != nil {
		failures = append(failures, s.records.Close())
	}
	if s.vectors != nil {
		failures = append(failures, s.vectors.Close())
	}
	if s.file != nil {
		failures = append(failures, s.file.Close())
	}
	return errors.Join(failures...)
}

// nearest returns up to k turns that match f, by descending inner product with query: see store.Reader.
func (s *shard) nearest(ctx context.Context, query []float32, f store.Filter, k int) ([]store.Neighbor, error) {
	var facts []store.Postings
	if terms := f.Facts(); terms != nil {
		var err error
		if facts, err = s.records.Postings(ctx, terms); err != nil {
			return nil, err
		}
	}
	scope := s.catalog.Scope(f, facts)
	var w vecindex.RowRange
	w.Lo, _ = slices.BinarySearch(s.rows, int32(scope.Lo))
	w.Hi, _ = slices.BinarySearch(s.rows, int32(scope.Hi))
	if !scope.TimeOnly() {
		w.Keep = vecindex.NewSet(len(s.rows))
		for i := w.Lo; i < w.Hi; i++ {
			if scope.Contains(int(s.rows[i])) {
				w.Keep.Add(i)
			}
		}
	}
	found, err := s.vectors.Search(ctx, query, w, k)
	if err != nil {
		return nil, asDamaged(err)
	}
	for _, n := range found {
		if err := checkSimilarity(n.Similarity); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// checkSimilarity checks that a number can be the inner product of two unit vectors, one of them with eleven
// bits.
func checkSimilarity(similarity float64) error {
	if !(math.Abs(similarity) <= 1.01) {
		return fmt.Errorf("not a unit vector: %w", ErrDamaged)
	}
	return nil
}

// similarity returns the inner product of query and a turn's vector, NaN if it has none.
func (s *shard) similarity(query []float32, ord store.Ord) (float64, error) {
	row, ok := s.catalog.Row(ord)
	if !ok {
		return math.NaN(), nil
	}
	at, ok := slices.BinarySearch(s.rows, int32(row))
	if !ok {
		return math.NaN(), nil
	}
	similarity, err := s.vectors.Similarity(query, at)
	if err != nil {
		return 0, asDamaged(err)
	}
	return similarity, checkSimilarity(similarity)
}
