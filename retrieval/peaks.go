package retrieval

import (
	"time"

	"lens/retrieval/timebin"
)

// peakOf describes a peak of h.
func peakOf(h *Histogram, p timebin.Peak) Peak {
	return Peak{
		Start: h.Bins[p.From].Start, End: h.Bins[p.To-1].End, Count: p.Count, Baseline: p.Baseline,
		Share: share(p.Count, p.Baseline), Expected: p.Expected, P: p.P,
	}
}

// peaks returns where the counts of h stand out among the turns of the window. A conversation takes place at some
// time, so its peak there would say nothing about the query: a search within one conversation, source or metadata
// value has none.
func (f *searchResult) peaks(h *Histogram) []Peak {
	bursts := []Peak{}
	if len(h.Bins) == 0 || !f.timeOnly || f.faint {
		return bursts
	}
	counts, edges := make([]int, len(h.Bins)), []int64{h.Bins[0].Start.Unix()}
	for i, b := range h.Bins {
		counts[i], edges = b.Count, append(edges, b.End.Unix())
	}
	window := f.clip(f.baseline(f.filter.AllBranches))
	baselines := timebin.Count(edges, window)
	for _, p := range timebin.Peaks(counts, baselines, outside(h, window, baselines)) {
		bursts = append(bursts, peakOf(h, p))
	}
	return bursts
}

// outside counts the turns of window that are in no bin of h, and the bins that they could fill.
func outside(h *Histogram, window []int64, baselines []int) timebin.Outside {
	b := timebin.Outside{Turns: len(window)}
	for _, n := range baselines {
		b.Turns -= n
	}
	bin, err := timebin.Parse(h.Bin)
	if err != nil || b.Turns == 0 {
		return b
	}
	bins := bin.NumBins(window[0], window[len(window)-1]) - int64(len(h.Bins))
	b.Bins = int(min(int64(b.Turns), max(bins, 0)))
	return b
}

// clip returns those of times (ascending, UTC seconds) that lie in the filter's window.
func (f *searchResult) clip(times []int64) []int64 {
	if since := f.filter.Since; !since.IsZero() {
		times = times[before(times, since):]
	}
	if until := f.filter.Until; !until.IsZero() {
		times = times[:before(times, until)]
	}
	return times
}

// share returns part / all, 0 for all = 0.
func share(part, all int) float64 {
	if all == 0 {
		return 0
	}
	return float64(part) / float64(all)
}

// before returns how many of times (ascending, UTC seconds) lie before t.
func before(times []int64, t time.Time) int {
	edge := t.Unix()
	if t.Nanosecond() > 0 { // times have whole seconds
		edge++
	}
	return countBefore(times, edge)
}
