package home

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"lens/retrieval"
	"lens/tui/theme"
	"lens/tui/ui"
)

// column returns the column of a week in the heat map.
func (l plan) column(week int) int {
	if l.pitch == 0 {
		return (week + 1) / 2
	}
	return week * l.pitch
}

// View draws the page.
func (p *Page) View() []string {
	th := p.ui.Theme
	if len(p.years) == 0 {
		return th.Block(nil, p.left+p.width+p.right, p.height)
	}
	l := p.plan()
	lines := make([]string, 0, p.height)
	lines = append(lines, p.heading())
	for len(lines) < l.map0-1 {
		lines = append(lines, "")
	}
	lines = append(lines, p.months(l))
	above := p.years.quartiles()
	for _, y := range p.years[l.years.from:l.years.to] {
		lines = append(lines, p.weeks(l, y, above), p.about(l, y))
		if l.yearRows > 2 {
			lines = append(lines, "")
		}
	}
	if l.yearRows == 2 {
		lines = append(lines, "")
	}
	lines = th.Block(append(lines, p.below(l)...), p.width, p.height)
	for i := range lines {
		lines[i] = strings.Repeat(" ", p.left) + lines[i] + strings.Repeat(" ", p.right)
	}
	return lines
}

// heading says how large the archive is, and where its busiest day was.
func (p *Page) heading() string {
	th, turns := p.ui.Theme, 0
	for i := range p.years {
		turns += p.years[i].turns
	}
	from, to := p.first.Format("January 2006"), p.last.Format("January 2006")
	said := th.Bold.Render(theme.Count(turns, "turn", "turns")) + th.Dim.Render(" from "+from+" to "+to)
	if from == to {
		said = th.Bold.Render(theme.Count(turns, "turn", "turns")) + th.Dim.Render(" in "+from)
	}
	var right string
	switch {
	case p.making.IsBusy():
		right = "finding topics" + th.Glyphs.Ellipsis
	case p.read.topics.Notice != "":
		right = p.read.topics.Notice
	default:
		right = "busiest day: " + p.ui.Day(p.busiest)
	}
	return p.indent(false) + th.Spread(said, th.Dim.Render(right), p.width-2*margin)
}

// months draws the names of the months above the map.
func (p *Page) months(l plan) string {
	line, th := strings.Repeat(" ", mapFrom), p.ui.Theme
	for month := time.January; month <= time.December; month++ {
		at := mapFrom + l.column((int(month)-1)*weeksOfYear/12)
		if gap := at - len(line); gap > 0 || month == time.January {
			line += strings.Repeat(" ", gap) + month.String()[:3]
		}
	}
	return th.Faint.Render(line)
}

// weeks draws the weeks of a year.
func (p *Page) weeks(l plan, y year, above [levels]int) string {
	th := p.ui.Theme
	var line strings.Builder
	line.WriteString(p.indent(false) + th.Bold.Render(fmt.Sprintf("%-*d", yearWidth, y.number)))
	from, to := -1, -1
	if p.focused && p.cursor.section == inQuarters && p.cursor.quarter.year == y.number {
		from, to = p.cursor.quarter.weeks()
	}
	step := 1
	if l.pitch == 0 {
		step = 2
	}
	for week := 0; week < weeksOfYear; week += step {
		cell := " "
		if week+step > y.from && week < y.to {
			n := y.weeks[week]
			if step == 2 && week+1 < weeksOfYear {
				n = (n + y.weeks[week+1] + 1) / 2
			}
			cell = th.Heat(level(n, above), l.pitch < 2, week >= from && week < to)
		}
		line.WriteString(cell)
		if l.pitch == 2 {
			line.WriteByte(' ')
		}
	}
	return line.String()
}

// about draws what the quarters of a year were about.
func (p *Page) about(l plan, y year) string {
	th := p.ui.Theme
	line := p.indent(false) + th.Faint.Render(fmt.Sprintf("%4s", theme.Short(y.turns)))
	width := margin + 4
	for of := range 4 {
		q := quarter{y.number, of}
		from, to := q.weeks()
		if !p.has(q) {
			continue
		}
		at := mapFrom + l.column(from)
		room := mapFrom + l.column(to) - at - 1
		chosen := p.focused && p.cursor.section == inQuarters && p.cursor.quarter == q
		said, unusual := p.label(p.read.quarters[q], room)
		pointer, style := " ", th.Faint
		switch {
		case chosen:
			pointer, style = th.Glyphs.Chosen, th.Accent
		case unusual:
			style = th.Dim
		}
		line += strings.Repeat(" ", max(0, at-1-width)) + style.Render(pointer+said)
		width = max(width, at-1) + 1 + theme.Width(said)
	}
	return line
}

// label says in few words what a time was about: the topics that it had more of than usual beyond chance, else the one
// that comes nearest to that, else a title.
func (p *Page) label(a retrieval.About, room int) (said string, unusual bool) {
	th := p.ui.Theme
	topics := slices.Clone(a.Topics)
	slices.SortStableFunc(topics, func(x, y retrieval.AboutTopic) int { return cmp.Compare(y.Z, x.Z) })
	n := 0
	for n < len(topics) && topics[n].Unusual {
		n++
	}
	unusual, topics = n > 0, topics[:min(max(n, 1), len(topics))]
	for i, topic := range topics {
		for _, word := range topic.Words[:min(len(topic.Words), max(1, 2-i))] { // two of the first, one of each other
			if next := th.Remarks(said, ui.Line(word)); theme.Width(next) <= room {
				said = next
			}
		}
	}
	switch {
	case said != "":
	case len(topics) > 0:
		said = ansi.Truncate(ui.Line(topics[0].Label), room, th.Glyphs.Ellipsis)
	case len(a.Titles) > 0 && room >= leastTitle:
		said = ansi.Truncate(ui.Line(a.Titles[0].Title), room, th.Glyphs.Ellipsis)
	}
	return said, unusual
}

// leastTitle is the least room for a title.
const leastTitle = 5
