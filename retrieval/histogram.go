package retrieval

import (
	"context"
	"fmt"
	"slices"
	"time"

	"lens/retrieval/timebin"
)

// dateRange is the time that a histogram covers, in UTC seconds, both ends inclusive. It is empty if nothing is dated.
type dateRange struct {
	first, last int64
	dated       bool
}

// dateRangeOf returns the dateRange of times, which must ascend.
func dateRangeOf(times []int64) dateRange {
	if len(times) == 0 {
		return dateRange{}
	}
	return dateRange{times[0], times[len(times)-1], true}
}

// with returns the dateRange that covers both.
func (s dateRange) with(t dateRange) dateRange {
	switch {
	case !s.dated:
		return t
	case !t.dated:
		return s
	}
	return dateRange{min(s.first, t.first), max(s.last, t.last), true}
}

// binning says how time is divided.
type binning struct {
	bin     timebin.Bin
	maxBins int // maximum number of bins with an automatic width
}

// histogram counts times (ascending, UTC seconds) in the bins that cover shown, with the baseline of each
// bin.
func histogram(op string, times, baseline []int64, undated int, shown dateRange, by binning) (Histogram, error) {
	bin := by.bin.Resolve(shown.first, shown.last, by.maxBins)
	h := Histogram{Bin: bin.String(), Bins: []HistogramBin{}, Total: len(times) + undated, Undated: undated}
	if !shown.dated {
		return h, nil
	}
	edges, err := bin.Edges(shown.first, shown.last+1)
	if err != nil {
		return Histogram{}, fmt.Errorf("retrieval: %s: %w", op, err)
	}
	counts, baselines := timebin.Count(edges, times), timebin.Count(edges, baseline)
	h.Bins = make([]HistogramBin, len(counts))
	for i := range counts {
		h.Bins[i] = HistogramBin{
			Start: fromSecond(edges[i]), End: fromSecond(edges[i+1]),
			Count: counts[i], Baseline: baselines[i], Share: share(counts[i], baselines[i]),
		}
	}
	return h, nil
}

// countBefore returns how many of times (ascending) lie before t.
func countBefore(times []int64, t int64) int {
	n, _ := slices.BinarySearch(times, t)
	return n
}

// The times that RFC 3339, and so JSON, can say.
var (
	firstSecond = time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	lastSecond  = time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC).Unix()
)

// fromSecond returns a time; the bin of the last year of all ends a second early.
func fromSecond(s int64) time.Time { return time.Unix(min(max(s, firstSecond), lastSecond), 0).UTC() }

// Rebin counts what is drawn of an earlier peek in other bins, without searching again; see Peek.Drawn. Errors: invalid
// (unknown bin).
func (e *Engine) Rebin(ctx context.Context, p *Peek, bin string, autoBins int) (Histogram, error) {
	by, err := parseBin("rebin", bin, autoBins)
	if err != nil {
		return Histogram{}, err
	}
	a, err := e.snapshot(ctx)
	if err != nil {
		return Histogram{}, err
	}
	times := p.Times
	drawn, _, occurrences := p.Drawn()
	if occurrences != nil {
		times = occurrences.Times
	}
	return histogram("rebin", times, a.baseline(p.allBranches), drawn.Undated, dateRangeOf(times), by)
}
