package chart

import (
	"fmt"
	"math"
)

// scale is the count axis: rows steps above 0, of step counts each.
type scale struct{ step, rows int }

func (s scale) top() int { return s.step * s.rows }

// label formats a count, padded to three cells, the minimum for the names of rows.
func (s scale) label(value float64) string { return fmt.Sprintf("%3d", int(math.Round(value))) }

// scaleOf returns the finest scale of round steps that reaches highest within height rows, including the row of 0.
func scaleOf(highest, height int) scale {
	for step := 1; ; step = nextStep(step) {
		if rows := (highest + step - 1) / step; rows < height {
			return scale{step, max(rows, 1)}
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

// offset is asciigraph's Offset: the cells of a label, a space and the axis. It counts a label as one cell, whatever
// its length.
const offset = 3

// gutter returns how many cells are left of the plot: a space, the widest label, a space and the axis.
func gutter(s scale) int { return len(s.label(float64(s.top()))) + offset }
