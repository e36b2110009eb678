package vecindex

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

const (
	stretch        = 4096 // rows between two looks at the context
	leastRows      = 8192 // what a goroutine is started for: rows to measure
	leastFound     = 512  // or to rank
	leastEstimated = 2048 // or to estimate
)

// sharing is how many calls of share are under way.
var sharing atomic.Int32

// share has fn handle [lo, hi) in parts of at least so many, on as many processors as there are for each call: where searches wait for
// each other, to share out one of them only makes the others wait longer.
func share(ctx context.Context, lo, hi, least int, fn func(ctx context.Context, lo, hi int) error) error {
	calls := int(sharing.Add(1))
	defer sharing.Add(-1)
	workers := min(runtime.GOMAXPROCS(0)/calls, (hi-lo)/least)
	if workers <= 1 {
		return fn(ctx, lo, hi)
	}
	group, ctx := errgroup.WithContext(ctx)
	for i := range workers {
		group.Go(func() error { return fn(ctx, lo+(hi-lo)*i/workers, lo+(hi-lo)*(i+1)/workers) })
	}
	return group.Wait()
}

// measure finds the distances of the window's rows, and how many rows there are at each.
func (x *Index) measure(ctx context.Context, p probe, w Window, s *scratch) error {
	s.reset(w.Hi-w.Lo, p.bins())
	var mu sync.Mutex
	return share(ctx, w.Lo, w.Hi, leastRows, func(ctx context.Context, lo, hi int) error {
		counts := make([]uint32, len(s.counts))
		for from := lo; from < hi; from += stretch {
			if err := ctx.Err(); err != nil {
				return err
			}
			part := Window{Lo: from, Hi: min(from+stretch, hi), Keep: w.Keep}
			if err := x.measurePart(p, part, s.distances[from-w.Lo:part.Hi-w.Lo], counts); err != nil {
				return err
			}
		}
		mu.Lock()
		defer mu.Unlock()
		for d, n := range counts {
			s.counts[d] += n
		}
		return nil
	})
}

func (x *Index) measurePart(p probe, w Window, distances, counts []uint32) error {
	for from, to := range w.Keep.runs(w.Lo, w.Hi) {
		if err := x.blocks.verify(from, to); err != nil {
			return err
		}
		p.measure(distances[from-w.Lo:to-w.Lo], counts, from)
	}
	return nil
}

// rank computes the similarities of candidates.
func (x *Index) rank(ctx context.Context, query []float32, found []candidate) error {
	return share(ctx, 0, len(found), leastFound, func(ctx context.Context, lo, hi int) error {
		for ; lo < hi; lo += stretch {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := x.halves.rank(query, found[lo:min(lo+stretch, hi)]); err != nil {
				return err
			}
		}
		return nil
	})
}
