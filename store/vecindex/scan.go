package vecindex

import (
	"context"
	"math"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// skipped is the score of a row that the filter does not let through: below every other.
var skipped = float32(math.Inf(-1))

// stretch is how many rows are scored between two looks at the context, and the least that a goroutine is started for.
const stretch = 1024

// scan writes the approximate inner product of query with rows lo to lo+len(scores) into scores.
func (x *Index) scan(ctx context.Context, query []float32, lo int, keep func(row int) bool, scores []float32) error {
	workers := min(runtime.GOMAXPROCS(0), len(scores)/stretch)
	if workers <= 1 {
		return x.scanPart(ctx, query, lo, keep, scores)
	}
	group, ctx := errgroup.WithContext(ctx)
	share := (len(scores) + workers - 1) / workers
	for from := 0; from < len(scores); from += share {
		to := min(from+share, len(scores))
		group.Go(func() error { return x.scanPart(ctx, query, lo+from, keep, scores[from:to]) })
	}
	return group.Wait()
}

func (x *Index) scanPart(ctx context.Context, query []float32, lo int, keep func(row int) bool, scores []float32) error {
	for from := 0; from < len(scores); from += stretch {
		if err := ctx.Err(); err != nil {
			return err
		}
		to := min(from+stretch, len(scores))
		if err := x.score(query, lo+from, keep, scores[from:to]); err != nil {
			return err
		}
	}
	return nil
}

// score fills scores for the rows from lo on.
func (x *Index) score(query []float32, lo int, keep func(row int) bool, scores []float32) error {
	for i := range scores {
		if keep != nil && !keep(lo+i) {
			scores[i] = skipped
			continue
		}
		row, err := x.blocks.row(lo + i)
		if err != nil {
			return err
		}
		scores[i] = dot(query, row)
	}
	return nil
}
