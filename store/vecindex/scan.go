package vecindex

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

const (
	rowsPerCheck    = 4096 // rows between two checks of the context
	minEstimateRows = 8192 // rows whose estimation is worth a goroutine
	minRankRows     = 512  // rows whose ranking is worth a goroutine
	minRefineRows   = 2048 // rows whose refinement is worth a goroutine
)

// parallelCalls is the number of running calls of inParallel.
var parallelCalls atomic.Int32

// inParallel lets fn handle [lo, hi) in parts of at least minRows rows, on this call's share of the
// processors: while several searches run, splitting one of them only delays the others.
func inParallel(ctx context.Context, lo, hi, minRows int, fn func(ctx context.Context, lo, hi int) error) error {
	calls := int(parallelCalls.Add(1))
	defer parallelCalls.Add(-1)
	workers := min(runtime.GOMAXPROCS(0)/calls, (hi-lo)/minRows)
	if workers <= 1 {
		return fn(ctx, lo, hi)
	}
	group, ctx := errgroup.WithContext(ctx)
	for i := range workers {
		group.Go(func() error {
			return CatchFault(func() error { return fn(ctx, lo+(hi-lo)*i/workers, lo+(hi-lo)*(i+1)/workers) })
		})
	}
	return group.Wait()
}

// shortlistRows adds to all those rows of the range that are likely to be the most similar.
func shortlistRows(ctx context.Context, query probe, w RowRange, all *shortlist) error {
	var mu sync.Mutex
	err := inParallel(ctx, w.Lo, w.Hi, minEstimateRows, func(ctx context.Context, lo, hi int) error {
		part := shortlists.Get().(*shortlist)
		defer shortlists.Put(part)
		part.reset(all.wanted)
		for lo < hi {
			if err := ctx.Err(); err != nil {
				return err
			}
			next := min((lo/rowsPerCheck+1)*rowsPerCheck, hi) // rows that are compared together stay together
			if err := query.estimate(RowRange{Lo: lo, Hi: next, Keep: w.Keep}, part); err != nil {
				return err
			}
			lo = next
		}
		mu.Lock()
		defer mu.Unlock()
		all.merge(part)
		return nil
	})
	all.cut()
	return err
}

// rank computes the similarities of candidates.
func (x *Index) rank(ctx context.Context, query []float32, found []candidate) error {
	return inParallel(ctx, 0, len(found), minRankRows, func(ctx context.Context, lo, hi int) error {
		for ; lo < hi; lo += rowsPerCheck {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := x.halves.rank(query, found[lo:min(lo+rowsPerCheck, hi)]); err != nil {
				return err
			}
		}
		return nil
	})
}
