package retrieval

import (
	"context"
	"sort"
	"time"

	"lens/retrieval/timebin"
)

// span is the stretch of time that a histogram shows, in UTC seconds, both ends inclusive. It is empty when nothing is dated.
type span struct {
	first, last int64
	dated       bool
}

// spanOf returns the span of times, which ascend.
func spanOf(times []int64) span {
	if len(times) == 0 {
		return span{}
	}
	return span{times[0], times[len(times)-1], true}
}

// with returns the span that covers both.
func (s span) with(t span) span {
	switch {
	case !s.dated:
		return t
	case !t.dated:
		return s
	}
	return span{min(s.first, t.first), max(s.last, t.last), true}
}

// histogram counts times (ascending, UTC seconds) in the buckets that cover shown, beside all turns of the archive in each.
func (a *archive) histogram(op string, times []int64, undated int, shown span, bin timebin.Bin, buckets int) (Histogram, error) {
	bin = bin.Resolve(shown.first, shown.last, buckets)
	h := Histogram{Bin: bin.String(), Buckets: []Bucket{}, Total: len(times) + undated, Undated: undated}
	if !shown.dated {
		return h, nil
	}
	edges, err := bin.Edges(shown.first, shown.last+1)
	if err != nil {
		return Histogram{}, explained(op, err)
	}
	counts, baselines := timebin.Count(edges, times), timebin.Count(edges, a.between(edges[0], edges[len(edges)-1]))
	h.Buckets = make([]Bucket, len(counts))
	for i := range counts {
		h.Buckets[i] = Bucket{Start: fromSecond(edges[i]), End: fromSecond(edges[i+1]), Count: counts[i], Baseline: baselines[i]}
	}
	return h, nil
}

// between returns the times of the archive in [lo, hi).
func (a *archive) between(lo, hi int64) []int64 {
	i := sort.Search(len(a.seconds), func(i int) bool { return a.seconds[i] >= lo })
	j := sort.Search(len(a.seconds), func(j int) bool { return a.seconds[j] >= hi })
	return a.seconds[i:j]
}

func fromSecond(s int64) time.Time { return time.Unix(s, 0).UTC() }

// Rebin counts the matches of an earlier peek in other bins, without searching again. Errors: invalid (unknown bin).
func (e *Engine) Rebin(ctx context.Context, p *Peek, bin string, autoBuckets int) (Histogram, error) {
	b, buckets, err := readBin("rebin", bin, autoBuckets)
	if err != nil {
		return Histogram{}, err
	}
	a, err := e.archive(ctx)
	if err != nil {
		return Histogram{}, err
	}
	return a.histogram("rebin", p.Times, p.Histogram.Undated, spanOf(p.Times), b, buckets)
}
