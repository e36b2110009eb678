package home

import (
	"fmt"
	"strings"

	"lens/tui/theme"
)

// dayLines is how many lines the weekdays of a year take, two in each.
const dayLines = (daysOfWeek + 1) / 2

// days draws the days of a year, Monday above Tuesday, beside its name and its number of turns.
func (p *Page) days(l plan, r *row, above [levels]int) []string {
	th, lines := p.ui.Theme, make([]string, dayLines)
	names := [dayLines]string{
		th.Bold.Render(p.heat.name(r.number)), th.Faint.Render(fmt.Sprintf("%4s", theme.Short(r.turns))),
	}
	since, until := -1, -1
	if p.focused && p.cursor.section == inMap && p.cursor.part.row == r.number {
		since, until = p.heat.daysOfPart(p.cursor.part)
	}
	before := p.heat.weekday(r.number)
	shade := func(column, weekday int) theme.Shade {
		day := column*daysOfWeek + weekday - before
		if weekday == daysOfWeek || day < r.since || day >= r.until {
			return theme.Shade{Level: -1}
		}
		return theme.Shade{Level: level(r.days[day], above), Chosen: day >= since && day < until}
	}
	drawn := make(map[[2]theme.Shade]string) // a row has few different cells
	for i := range lines {
		var line strings.Builder
		line.WriteString(th.Fit(p.indent(false)+names[i], l.left))
		for column := range p.heat.columns(daily) {
			halves := [2]theme.Shade{shade(column, 2*i), shade(column, 2*i+1)}
			cell, ok := drawn[halves]
			if !ok {
				cell = th.HeatHalves(halves[0], halves[1], max(1, l.pitch-1)) + " "
				drawn[halves] = cell
			}
			line.WriteString(cell)
		}
		lines[i] = line.String()
	}
	return lines
}
