package sqlite

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"lens/store"
)

var _ store.DiskMeter = (*Store)(nil)

// archiveFiles are the patterns of all files of an archive that grow with it.
var archiveFiles = []string{"lens.db*", "catalog-*", "vectors-*"}

// DiskUse implements store.DiskMeter.
func (s *Store) DiskUse(ctx context.Context) (use store.DiskUse, err error) {
	use.Sources, err = list(ctx, s, "disk use", func(r row) store.SourceUse {
		return store.SourceUse{Source: store.Source(r.ColumnText(0)), Texts: r.ColumnInt64(1), Vectors: r.ColumnInt64(2)}
	}, "DiskUse")
	if err != nil {
		return use, err
	}
	for _, pattern := range archiveFiles {
		paths, err := filepath.Glob(filepath.Join(s.dir, pattern))
		if err != nil {
			return use, err
		}
		for _, path := range paths {
			switch info, err := os.Stat(path); {
			case err == nil:
				use.Total += info.Size()
			case !errors.Is(err, fs.ErrNotExist): // a cache may be replaced meanwhile
				return use, s.explain(ctx, "disk use", err)
			}
		}
	}
	return use, nil
}
