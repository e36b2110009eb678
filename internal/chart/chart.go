// Package chart draws counts over time in cells of text, for the explorer and for the command line.
//
// Its parts are Columns (which bin is where), Scale, Axis, Bars, Lines and Rail. Text and Comparison put them together
// for the command line; the explorer composes its own chart. What a part draws has at most the width and height that
// it was given.
//
// The rules are:
//
//   - Bars are equally wide. Of a line, bin i of n takes the columns from floor(i·W/n) to floor((i+1)·W/n) of W, so
//     that no column is wasted.
//   - Each column shows the value of a bin, never an average of two.
//   - Any bar or level above zero is visible: it is at least an eighth high.
//   - A label starts where its bin starts. Labels that do not fit are dropped.
//   - Nothing is conveyed by color alone.
//
// The package does no I/O, and knows no theme: glyphs and styles are arguments.
package chart

import (
	"math"

	"lens/retrieval/timebin"
)

// Bin is the stretch [Start, End) of UTC seconds.
type Bin struct {
	Start, End int64
	Count      int
	Baseline   int  // all turns in it, also those that Count leaves out
	Partial    bool // partly out of view; only the visible part is counted
}

// Share returns the count as a part of the baseline, at most 1.
func (b Bin) Share() float64 {
	if b.Baseline == 0 {
		return 0
	}
	return min(1, float64(b.Count)/float64(b.Baseline))
}

// Histogram is what a chart shows: contiguous bins of one unit.
type Histogram struct {
	Unit  timebin.Bin // the zero Bin if it is not known
	Bins  []Bin
	Peaks []int // indices of bins that stand out
}

func (h Histogram) counts() []float64 {
	return h.values(func(b Bin) float64 { return float64(b.Count) })
}

func (h Histogram) baselines() []float64 {
	return h.values(func(b Bin) float64 { return float64(b.Baseline) })
}

// shares returns the shares in thousandths, rounded up, so that no share above 0 becomes 0.
func (h Histogram) shares() []float64 {
	return h.values(func(b Bin) float64 { return math.Ceil(b.Share() * 1000) })
}

func (h Histogram) values(of func(Bin) float64) []float64 {
	values := make([]float64, len(h.Bins))
	for i, b := range h.Bins {
		values[i] = of(b)
	}
	return values
}
