package vecindex

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"lens/internal/simd"
)

const (
	rowsPerCheck = 4096 // rows between two checks of the context

	// How many rows are worth a goroutine: going through them takes a fifth of a millisecond. What one search gains by
	// smaller parts, others that run at the same time lose to handing over and merging.
	minEstimateRows = 64 << 10
	minRankRows     = 1024
	minRefineRows   = 4096
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

// One in so many groups of rows is sampled, where at least so many times the wanted rows are estimated.
const (
	sampledShare  = 32
	minForSamples = 8
)

// shortlistRows adds to all those of the range's n rows that are likely to be the most similar. A sample says which
// estimates are worth counting. In the rare case that fewer rows than wanted reach the least of these, all are counted.
func shortlistRows(ctx context.Context, query probe, w RowRange, n int, all *shortlist) error {
	if n >= minForSamples*all.wanted {
		least, err := sampledLeast(query, w, all.wanted)
		if err != nil {
			return err
		}
		all.least = least
	}
	if err := countRows(ctx, query, w, all); err != nil {
		return err
	}
	if all.above < all.wanted && all.least > 0 {
		all.reset(all.wanted)
		if err := countRows(ctx, query, w, all); err != nil {
			return err
		}
	}
	all.cut()
	return nil
}

// sampledLeast returns a bin that half as many rows again as wanted are likely to reach.
func sampledLeast(query probe, w RowRange, wanted int) (least int, err error) {
	sample := shortlists.Get().(*shortlist)
	defer shortlists.Put(sample)
	sample.reset((3*wanted/2 + sampledShare - 1) / sampledShare)
	const rows = simd.GroupRows
	for lo := w.Lo / rows * rows; lo < w.Hi; lo += sampledShare * rows {
		err := query.estimate(RowRange{Lo: max(lo, w.Lo), Hi: min(lo+rows, w.Hi), Keep: w.Keep}, sample)
		if err != nil {
			return 0, err
		}
	}
	return sample.least, nil
}

// countRows adds those of the range's rows to all that reach its least bin and may be among the wanted.
func countRows(ctx context.Context, query probe, w RowRange, all *shortlist) error {
	least := all.least
	var mu sync.Mutex // of all
	return inParallel(ctx, w.Lo, w.Hi, minEstimateRows, func(ctx context.Context, lo, hi int) error {
		rows := RowRange{Lo: lo, Hi: hi, Keep: w.Keep}
		if lo == w.Lo {
			mu.Lock()
			defer mu.Unlock()
			return addRows(ctx, query, rows, all)
		}
		part := shortlists.Get().(*shortlist)
		defer shortlists.Put(part)
		part.reset(all.wanted)
		part.least = least
		if err := addRows(ctx, query, rows, part); err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		all.merge(part)
		return nil
	})
}

// addRows adds the range's rows to part.
func addRows(ctx context.Context, query probe, w RowRange, part *shortlist) error {
	for w.Lo < w.Hi {
		if err := ctx.Err(); err != nil {
			return err
		}
		next := min((w.Lo/rowsPerCheck+1)*rowsPerCheck, w.Hi) // rows that are compared together stay together
		if err := query.estimate(RowRange{Lo: w.Lo, Hi: next, Keep: w.Keep}, part); err != nil {
			return err
		}
		w.Lo = next
	}
	return nil
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
