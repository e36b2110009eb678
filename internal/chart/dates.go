package chart

import (
	"strings"

	"lens/retrieval/timebin"
)

// Dates labels bins as flags take them, such as 2024-06, at the finest unit at which no labels collide: every bin, or
// the first bin of every day, week, month …
func (a Axis) Dates() []Tick {
	for unit, ok := a.Unit, !a.Unit.IsAuto(); ok; unit, ok = unit.Coarser() {
		if ticks := a.datesOf(unit); haveRoom(ticks) {
			return ticks
		}
	}
	return a.sparseYears()
}

// datesOf labels the first bin of every unit, and the very first bin if there is room. Labels beyond the right edge
// are dropped, except the first one.
func (a Axis) datesOf(unit timebin.Bin) []Tick {
	var ticks []Tick
	for i, b := range a.Bins {
		if i > 0 && unit.Floor(b.Start) == unit.Floor(a.Bins[i-1].Start) {
			continue
		}
		from, _ := a.Span(i)
		ticks = append(ticks, Tick{Column: from, Label: a.date(b.Start, unit)})
	}
	if len(ticks) > 1 && !haveRoom(ticks[:2]) && unit != a.Unit {
		ticks = ticks[1:] // the edge cuts off the first unit
	}
	for len(ticks) > 1 && ticks[len(ticks)-1].end() > a.Width {
		ticks = ticks[:len(ticks)-1]
	}
	return ticks
}

// sparseYears labels the first bin of those years that fit, if even years collide.
func (a Axis) sparseYears() []Tick {
	var kept []Tick
	for _, t := range a.datesOf(timebin.Bin{Unit: timebin.Year, N: 1}) {
		if len(kept) == 0 || haveRoom([]Tick{kept[len(kept)-1], t}) {
			kept = append(kept, t)
		}
	}
	return kept
}

// date returns the label of the bin that begins at start. Hours are labeled by their day if unit is coarser than the
// bin.
func (a Axis) date(start int64, unit timebin.Bin) string {
	if a.Unit.IsAuto() || a.Unit.Unit <= timebin.Hour && unit.Unit > timebin.Hour {
		return timebin.Bin{Unit: timebin.Day, N: 1}.Label(start)
	}
	return a.Unit.Label(start)
}

// haveRoom reports whether there is a space between all labels: two spaces after a label that contains one.
func haveRoom(ticks []Tick) bool {
	for i := 1; i < len(ticks); i++ {
		before := ticks[i-1]
		if ticks[i].Column <= before.end()+strings.Count(before.Label, " ") {
			return false
		}
	}
	return true
}
