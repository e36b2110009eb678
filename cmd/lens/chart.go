package main

import (
	"lens/internal/chart"
	"lens/internal/cleantext"
	"lens/retrieval"
	"lens/retrieval/timebin"
)

// chart returns the options of charts on this screen.
func (s *screen) chart() chart.Options {
	return chart.Options{Width: s.width, ASCII: s.ascii, Color: s.color}
}

// peekChart draws the occurrences or the matches of p, with their shares and peaks.
func peekChart(p *retrieval.Peek, opts chart.Options) string {
	opts.Shares = true
	drawn, peaks, _ := p.Drawn()
	h := histogramOf(drawn)
	for i, b := range drawn.Bins {
		for _, peak := range peaks {
			if !b.Start.Before(peak.Start) && b.Start.Before(peak.End) {
				h.Peaks = append(h.Peaks, i)
			}
		}
	}
	return chart.Text(h, opts)
}

// histogramOf returns what a chart draws of h.
func histogramOf(h retrieval.Histogram) chart.Histogram {
	var out chart.Histogram
	out.Unit, _ = timebin.Parse(h.Bin)
	for _, b := range h.Bins {
		out.Bins = append(out.Bins,
			chart.Bin{Start: b.Start.Unix(), End: b.End.Unix(), Count: b.Count, Baseline: b.Baseline})
	}
	return out
}

// seriesOf returns what a chart draws of a peek beside others.
func seriesOf(p *retrieval.Peek, query string) chart.Series {
	drawn, _, occurrences := p.Drawn()
	s := chart.Series{
		Histogram: histogramOf(drawn), Name: cleantext.Line(query), Total: drawn.Total, Remark: count(drawn.Total, "turn"),
	}
	switch {
	case occurrences != nil && drawn.Total != p.Histogram.Total:
		s.Remark += " with all the words"
	case occurrences == nil && p.Coverage.Truncated:
		s.Remark = bestOf(drawn.Total, p.Coverage)
	}
	return s
}
