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
