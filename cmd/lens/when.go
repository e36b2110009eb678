package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"lens/retrieval"
)

// shownPeaks is how many peaks are described, the most significant ones.
const shownPeaks = 3

// showWhen describes in a few lines when a query came up: first and last, the longest silence, and its peaks.
func printTimes(out *screen, p *retrieval.Peek) {
	if text := mentionsLine(out, p.Mentions); text != "" {
		out.println(text)
	}
	peaks := slices.Clone(p.Peaks)
	slices.SortStableFunc(peaks, func(a, b retrieval.Peak) int { return cmp.Compare(a.P, b.P) })
	peaks = peaks[:min(len(peaks), shownPeaks)]
	slices.SortFunc(peaks, func(a, b retrieval.Peak) int { return a.Start.Compare(b.Start) })
	for _, b := range peaks {
		out.printf("peak in %s: %d of %s, %s expected (%s)\n",
			stretch(p.Histogram.Bin, b.Start, b.End), b.Count, count(b.Baseline, "turn"), about1(b.Expected), chance(b.P))
	}
	if more := len(p.Peaks) - len(peaks); more > 0 {
		out.println("and " + count(more, "smaller peak"))
	}
}

// firstAndLast describes the mentions on one line; "" if there are fewer than two.
func mentionsLine(out *screen, m retrieval.Mentions) string {
	if m.First == nil || m.Silence == nil {
		return ""
	}
	parts := []string{"first " + date(m.First.Time), "last " + date(m.Last.Time)}
	length := span(m.Silence.Until.Sub(m.Silence.Since))
	silence := fmt.Sprintf("longest silence %s, until %s", length, date(m.Silence.Until))
	if m.Silence.Turns == 0 {
		silence += " (no turns at all)"
	}
	return strings.Join(append(parts, silence), out.sign(" · ", ", "))
}

// about1 writes a number with a decimal if it is small.
func about1(x float64) string {
	if x < 10 {
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.0f", x)
}

// chance writes a p-value as people do.
func chance(p float64) string {
	if p < 0.001 {
		return "p < 0.001"
	}
	return fmt.Sprintf("p = %.3f", p)
}
