package vecindex

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

const (
	stretch      = 4096 // rows between two looks at the context
	leastRows    = 8192 // what a goroutine is started for: rows to estimate
	leastFound   = 512  // or to rank
	leastRefined = 2048 // or to estimate better
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
		group.Go(func() error {
			return CatchFault(func() error { return fn(ctx, lo+(hi-lo)*i/workers, lo+(hi-lo)*(i+1)/workers) })
		})
	}
	return group.Wait()
}

// likeliest shortlists those rows of the window that are likely to be the most similar.
func (p *plane) likeliest(ctx context.Context, query probe, w Window, all *shortlist) error {
	var mu sync.Mutex
	err := share(ctx, w.Lo, w.Hi, leastRows, func(ctx context.Context, lo, hi int) error {
		part := shortlists.Get().(*shortlist)
		defer shortlists.Put(part)
		part.reset(all.wanted)
		for from := lo; from < hi; from += stretch {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := p.estimate(query, Window{Lo: from, Hi: min(from+stretch, hi), Keep: w.Keep}, part); err != nil {
				return err
			}
		}
		mu.Lock()
		defer mu.Unlock()
		all.merge(part)
		return nil
	})
	all.cut()
	return err
}

func (p *plane) estimate(query probe, w Window, best *shortlist) error {
	var estimates [256]float32
	for from, to := range w.Keep.runs(w.Lo, w.Hi) {
		if err := p.codes.verify(from, to); err != nil {
			return err
		}
		for ; from < to; from += len(estimates) {
			part := estimates[:min(len(estimates), to-from)]
			query.estimate(part, from)
			best.add(from, part)
		}
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
