package postgres

import (
	"context"

	"lens/store"
)

var _ store.DiskMeter = (*Store)(nil)

// DiskUse implements store.DiskMeter.
func (s *Store) DiskUse(ctx context.Context) (use store.DiskUse, err error) {
	use.Sources, err = list(ctx, s, "disk use", func(r row) store.SourceUse {
		return store.SourceUse{Source: store.Source(r.text(0)), Texts: r.number(1), Vectors: r.number(2)}
	}, "DiskUse")
	if err != nil {
		return use, err
	}
	totals, err := list(ctx, s, "disk use", func(r row) int64 { return r.number(0) }, "TotalDiskUse")
	if err == nil {
		use.Total = totals[0]
	}
	return use, err
}
