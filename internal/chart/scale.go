package chart

import "math"

// Scale is the value axis of a plot: Rows lines, the first of which stands for Top and the last for 0.
type Scale struct {
	Top  float64
	Rows int
}

// RoundScale returns the finest scale of round steps that reaches highest within at most rows lines.
func RoundScale(highest, rows int) Scale {
	for step := 1; ; step = nextStep(step) {
		if steps := max((highest+step-1)/step, 1); steps < max(rows, 2) {
			return Scale{Top: float64(step * steps), Rows: steps + 1}
		}
	}
}

// nextStep returns the step after one of 1 2 3 4 5 6 8 10 15 20 25 30 40 50 60 80 100 150 …
func nextStep(step int) int {
	power := 1
	for step/power >= 10 {
		power *= 10
	}
	round := []int{10, 15, 20, 25, 30, 40, 50, 60, 80, 100}
	if power == 1 {
		round = []int{10, 20, 30, 40, 50, 60, 80, 100}
	}
	for _, r := range round {
		if r*power/10 > step {
			return r * power / 10
		}
	}
	return 15 * power
}

// EvenTop returns the least of 2 4 6 8 10 12 16 20 30 40 50 60 80 100 … that reaches highest: half of it is whole, too.
func EvenTop(highest float64) float64 {
	if !(highest > 0) || highest > 1e15 {
		return 2
	}
	for power := 1.0; ; power *= 10 {
		for _, step := range []float64{1, 1.2, 1.6, 2, 3, 4, 5, 6, 8} {
			if top := step * power; top >= highest && math.Mod(top, 2) == 0 {
				return top
			}
		}
	}
}

// isMiddle reports whether a line, counted from the top, stands for half of Top.
func (s Scale) isMiddle(row int) bool { return s.Rows >= 5 && s.Rows%2 == 1 && row == s.Rows/2 }

// IsTick reports whether the scale is numbered at a line, counted from the top.
func (s Scale) IsTick(row int) bool { return row == 0 || row == s.Rows-1 || s.isMiddle(row) }

// Value returns what a line, counted from the top, stands for.
func (s Scale) Value(row int) float64 {
	if s.Rows < 2 {
		return s.Top
	}
	return s.Top * float64(s.Rows-1-row) / float64(s.Rows-1)
}

// Eighths returns the height of a bar in eighths of a cell, at least one for a value above zero.
func (s Scale) Eighths(value float64) int {
	if !(value > 0) || s.Top <= 0 {
		return 0
	}
	return max(1, int(math.Round(min(1, value/s.Top)*float64(s.Rows*8))))
}
