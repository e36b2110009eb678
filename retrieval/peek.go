package retrieval

import (
	"context"
	"math"
	"slices"
	"time"
)

// Peek finds the top_k turns nearest to query within the options' window and counts all of them over time.
// Errors: invalid (empty query, unknown bin or mode, options out of range), too_large (query over 8 KiB), dimension_mismatch,
// unavailable (dense mode without vectors or model), rate_limited.
func (e *Engine) Peek(ctx context.Context, query string, opts PeekOptions) (*Peek, error) {
	started := time.Now()
	r, err := newRequest(query, opts)
	if err != nil {
		return nil, err
	}
	var p *Peek
	err = e.consistently(ctx, func(a *archive) error {
		by, err := e.approach(ctx, a, r)
		if err != nil {
			return err
		}
		if err := e.line.enter(ctx); err != nil {
			return err
		}
		defer e.line.leave()
		f, err := e.searchBy(ctx, a, r, by)
		if err != nil {
			return err
		}
		p, err = e.show(ctx, f, spanOf(f.times()))
		return err
	})
	if err != nil {
		return nil, err
	}
	p.Timing.Total = milliseconds(time.Since(started))
	return p, nil
}

// show turns what was found into a Peek whose buckets cover shown.
func (e *Engine) show(ctx context.Context, f *found, shown span) (*Peek, error) {
	times := f.times()
	h, err := histogram("peek", times, f.baseline(f.filter.AllBranches), len(f.hits)-len(times), shown, f.binning)
	if err != nil {
		return nil, err
	}
	matches, err := e.matches(ctx, f)
	if err != nil {
		return nil, err
	}
	return &Peek{
		Query: f.query, Like: f.like, Mode: f.by.mode, Notice: f.by.notice, Matches: matches, Times: times, allBranches: f.filter.AllBranches,
		Histogram: h, Peaks: f.peaks(&h), Mentions: f.mentions(), Coverage: f.coverage(),
		Timing: Timing{Embed: milliseconds(f.by.took), Search: milliseconds(f.took)},
	}, nil
}

func (f *found) coverage() Coverage {
	return Coverage{
		Faint: f.faint, Candidates: f.candidates(), Embedded: f.embeddedShare(f.filter.AllBranches),
		Matching: f.matching, Truncated: f.matching > len(f.hits),
	}
}

// times returns the UTC seconds of the dated hits, ascending.
func (f *found) times() []int64 {
	times := make([]int64, 0, len(f.hits))
	for _, h := range f.hits {
		if int(h.Row) < f.Dated {
			times = append(times, second(f.Time[h.Row]))
		}
	}
	slices.Sort(times)
	return times
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// known returns a pointer to a cosine, nil for NaN.
func known(cosine float64) *float64 {
	if math.IsNaN(cosine) {
		return nil
	}
	return &cosine
}
