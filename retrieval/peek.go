package retrieval

import (
	"context"
	"math"
	"slices"
	"time"

	"lens/retrieval/query"
)

// Peek finds the top_k turns nearest to q's words, or most similar to the turn that q.Like names, among those that pass
// its filter, and counts all of them over time. Errors: invalid (see query.Query.Validate), too_large (words over 8 KiB),
// not_found (an unknown turn), dimension_mismatch, unavailable (dense mode without vectors or model), rate_limited.
func (e *Engine) Peek(ctx context.Context, q query.Query) (*Peek, error) {
	started := time.Now()
	if q.Like != "" {
		return e.peekLike(ctx, q, started)
	}
	r, err := newRequest(q)
	if err != nil {
		return nil, err
	}
	var p *Peek
	err = e.readConsistently(ctx, func(a *snapshot) error {
		by, err := e.plan(ctx, a, r)
		if err != nil {
			return err
		}
		if e.searchSlots != nil {
			if err := e.searchSlots.Acquire(ctx, 1); err != nil {
				return err
			}
			defer e.searchSlots.Release(1)
		}
		f, err := e.searchWith(ctx, a, r, by)
		if err != nil {
			return err
		}
		p, err = e.buildPeek(ctx, f, dateRangeOf(f.matchTimes()))
		return err
	})
	if err != nil {
		return nil, err
	}
	p.Timing.Total = milliseconds(time.Since(started))
	return p, nil
}

// buildPeek turns a search result into a Peek whose bins cover shown.
func (e *Engine) buildPeek(ctx context.Context, f *searchResult, shown dateRange) (*Peek, error) {
	times := f.matchTimes()
	h, err := histogram("peek", times, f.baseline(f.filter.AllBranches), len(f.hits)-len(times), shown, f.binning)
	if err != nil {
		return nil, err
	}
	matches, err := e.matches(ctx, f)
	if err != nil {
		return nil, err
	}
	return &Peek{
		Query: f.query, Like: f.like, Mode: f.plan.mode, Notice: f.plan.notice, allBranches: f.filter.AllBranches,
		Histogram: h, Peaks: f.peaks(&h), Mentions: f.mentions(), Matches: matches, Coverage: f.coverage(), Times: times,
		Timing: Timing{Embed: milliseconds(f.plan.embedTime), Search: milliseconds(f.took)},
	}, nil
}

func (f *searchResult) coverage() Coverage {
	return Coverage{
		Faint: f.faint, Candidates: f.candidates(), Embedded: f.embeddedShare(f.filter.AllBranches),
		Matching: f.matching, Truncated: f.matching > len(f.hits),
	}
}

// matchTimes returns the UTC seconds of the dated hits, ascending.
func (f *searchResult) matchTimes() []int64 {
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

// optionalCosine returns a pointer to a cosine, nil for NaN.
func optionalCosine(cosine float64) *float64 {
	if math.IsNaN(cosine) {
		return nil
	}
	return &cosine
}
