package retrieval

import (
	"context"
	"time"

	"lens/retrieval/query"
	"lens/retrieval/timebin"
)

// Window is the half-open span of time [Since, Until); a zero end is open.
type Window struct {
	Since time.Time `json:"since,omitzero"`
	Until time.Time `json:"until,omitzero"`
}

// Contrast is one query in two windows, side by side.
type Contrast struct {
	Query  string   `json:"query"`
	Notice string   `json:"notice,omitempty"` // a sentence for each thing that the searches did not do as asked
	Then   Period   `json:"then"`
	Now    Period   `json:"now"`
	Change *float64 `json:"change"` // now's share over then's; null when that is 0
	P      float64  `json:"p"`      // the probability that they differ so by chance: timebin.Contrast

	// LeftOut is the part of Notice, at its end, that is not about the mode.
	LeftOut string `json:"-"`
}

// Period is the result of a query in one window. Count is the number of the top_k turns of both windows together
// (one ranking, one measure) that lie in this one. Peek is the best of this window alone, in the same bins as the
// other's, which cover the whole window as far as the archive reaches: that nothing was said is seen, too.
type Period struct {
	Window
	Count int     `json:"count"`
	Turns int     `json:"turns"` // dated turns of the window
	Share float64 `json:"share"` // count / turns
	Peek  *Peek   `json:"peek"`
}

// Contrast runs one query over two windows, which may come in any order and may overlap; q's own window is
// ignored. Counts come from one search that spans both windows, of up to MaxTopK turns. Errors: see Peek.
func (e *Engine) Contrast(ctx context.Context, q query.Query, then, now Window) (*Contrast, error) {
	q.Filter.Since, q.Filter.Until = time.Time{}, time.Time{}
	r, err := newRequest(q)
	if err != nil {
		return nil, err
	}
	for _, w := range []Window{then, now} {
		if err := (query.Filter{Since: w.Since, Until: w.Until}).Validate(q); err != nil {
			return nil, err
		}
	}
	var c *Contrast
	err = e.readConsistently(ctx, func(a *snapshot) (err error) {
		c, err = e.contrast(ctx, a, r, then, now)
		return err
	})
	return c, err
}

func (e *Engine) contrast(ctx context.Context, a *snapshot, r request, then, now Window) (*Contrast, error) {
	both := r
	both.filter.Since, both.filter.Until = earlier(then.Since, now.Since), later(then.Until, now.Until)
	both.topK = query.MaxTopK
	all, err := e.search(ctx, a, both)
	if err != nil {
		return nil, err
	}
	sides := []*side{{Window: then}, {Window: now}}
	for _, one := range sides {
		if err := e.searchSide(ctx, a, r, one); err != nil {
			return nil, err
		}
	}
	r.bin = sharedBin(r.binning, sides[0].shown(), sides[1].shown())
	c := &Contrast{Query: r.query}
	c.Notice, c.LeftOut = noticesOf(all) // which spans both windows
	for i, into := range []*Period{&c.Then, &c.Now} {
		if *into, err = e.period(ctx, all, sides[i], r.binning); err != nil {
			return nil, err
		}
	}
	c.P = timebin.Contrast(c.Then.Count, c.Then.Turns, c.Now.Count, c.Now.Turns)
	if c.Then.Share > 0 {
		change := c.Now.Share / c.Then.Share
		c.Change = &change
	}
	return c, nil
}

// side is the search of one of the two windows.
type side struct {
	Window
	found *searchResult
	took  time.Duration
}

func (e *Engine) searchSide(ctx context.Context, a *snapshot, r request, s *side) (err error) {
	started := time.Now()
	r.filter.Since, r.filter.Until = s.Since, s.Until
	s.found, err = e.search(ctx, a, r)
	s.took = time.Since(started)
	return err
}

// shown returns what of the window lies between the first and the last dated turn of the archive.
func (s *side) shown() dateRange {
	r := dateRangeOf(s.found.baseline(s.found.filter.AllBranches))
	if !s.Since.IsZero() {
		r.first = max(r.first, s.Since.Unix())
	}
	if !s.Until.IsZero() {
		r.last = min(r.last, s.Until.Unix()-1)
	}
	if !r.dated || r.first > r.last {
		return dateRange{}
	}
	return r
}

// sharedBin returns the bin for both windows: the one that suits the longer of them.
func sharedBin(by binning, ranges ...dateRange) timebin.Bin {
	var longest dateRange
	for _, r := range ranges {
		if r.dated && (!longest.dated || r.last-r.first > longest.last-longest.first) {
			longest = r
		}
	}
	return by.bin.Resolve(longest.first, longest.last, by.maxBins)
}

func (e *Engine) period(ctx context.Context, all *searchResult, s *side, by binning) (Period, error) {
	started := time.Now()
	f := s.found
	f.binning = by
	p := Period{
		Window: s.Window,
		Count:  len(f.clip(all.matchTimes())),
		Turns:  len(f.clip(f.baseline(f.filter.AllBranches))),
	}
	p.Share = share(p.Count, p.Turns)
	var err error
	if p.Peek, err = e.buildPeek(ctx, f, s.shown()); err == nil {
		p.Peek.Timing.Total = milliseconds(s.took + time.Since(started))
	}
	return p, err
}

// earlier returns the lower of two lower bounds, open when either is.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && a.Before(b) {
		return a
	}
	return b
}

// later returns the upper of two upper bounds, open when either is.
func later(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && a.After(b) {
		return a
	}
	return b
}
