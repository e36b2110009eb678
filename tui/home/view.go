package home

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"lens/retrieval"
	"lens/tui/theme"
	"lens/tui/ui"
)

// column returns the column of a cell of the heat map.
func (l plan) column(cell int) int {
	if l.pitch == 0 {
		return (cell + 1) / 2
	}
	return cell * l.pitch
}

// View draws the page.
func (p *Page) View() []string {
	th := p.ui.Theme
	if len(p.heat.rows) == 0 {
		return th.Block(nil, p.left+p.width+p.right, p.height)
	}
	l := p.plan()
	lines := append(make([]string, 0, p.height), p.heading(l))
	lines = append(lines, make([]string, l.map0-2)...)
	lines = append(lines, p.columnNames(l))
	above := p.heat.quartiles(l.grain)
	for i := l.rows.from; i < l.rows.to; i++ {
		r := &p.heat.rows[i]
		if l.grain == daily {
			lines = append(lines, p.days(l, r, above)...)
		} else {
			lines = append(lines, p.cells(l, r, above))
		}
		lines = append(lines, p.about(l, r))
		if l.rowLines > 2 {
			lines = append(lines, "")
		}
	}
	if l.rowLines == 2 {
		lines = append(lines, p.hidden(l, l.rows.to, th.Glyphs.Under))
	}
	lines = append(lines, make([]string, l.gap)...)
	lines = th.Block(append(lines, p.below(l)...), p.width, p.height)
	for i := range lines {
		lines[i] = strings.Repeat(" ", p.left) + lines[i] + strings.Repeat(" ", p.right)
	}
	return lines
}

// heading says how large the archive is, where its busiest day was, and what the colors mean.
func (p *Page) heading(l plan) string {
	th, turns := p.ui.Theme, 0
	for i := range p.heat.rows {
		turns += p.heat.rows[i].turns
	}
	from, to := theme.LongMonth(p.heat.first), theme.LongMonth(p.heat.last)
	when := " from " + from + " to " + to
	switch {
	case from == to:
		when = " in " + to
	case p.heat.first.Year() == p.heat.last.Year():
		when = " from " + p.heat.first.Month().String() + " to " + to
	}
	count := th.Bold.Render(theme.Count(turns, "turn", "turns"))
	bare, inChats := count, count
	if p.talks > 0 {
		inChats += th.Dim.Render(" in " + theme.Count(p.talks, "chat", "chats"))
		count += th.Dim.Render(" in " + theme.Count(p.talks, "conversation", "conversations"))
		when = strings.Replace(when, " from ", ", ", 1)
	}
	said, width := count+th.Dim.Render(when), l.edge-margin
	texts := []string{said, count, inChats}
	if len(p.busiest) > 0 {
		busiest := th.Dim.Render(" " + th.Glyphs.Separator + " busiest: " + theme.Day(p.busiest[0].Since))
		texts = []string{said + busiest, said, count + busiest, count, inChats}
	}
	notice := p.read.topics.Notice
	if p.making.IsBusy() {
		notice = "finding topics" + th.Glyphs.Ellipsis
	}
	if notice == "" {
		return p.indent(false) + p.besideLegend(l, width, texts, bare)
	}
	if theme.Width(said)+2+theme.Width(notice) > width {
		said = count
	}
	return p.indent(false) + th.Spread(said, th.Dim.Render(notice), width)
}

// apart is how far a legend is at least from what stands left of it, so that the two are not read as one.
const apart = 4

// besideLegend draws the first of some texts that leaves room for a legend, the longest that does; else one in short.
func (p *Page) besideLegend(l plan, width int, texts []string, short string) string {
	for _, said := range [][]string{texts, {short}} {
		for _, legend := range p.legends(l) {
			for _, said := range said {
				if theme.Width(said)+apart+theme.Width(legend) <= width {
					return p.ui.Theme.Spread(said, legend, width)
				}
			}
		}
	}
	return p.ui.Theme.Fit(short, width)
}

// legends say how many turns each color of the map stands for, the longest first: of each color, with the unit and
// without, and of the first and the last.
func (p *Page) legends(l plan) []string {
	th, above := p.ui.Theme, p.heat.quartiles(l.grain)
	each := "a week"
	if p.heat.byDay || l.grain == daily {
		each = "a day"
	}
	line, cells, last := th.Faint.Render(each), "", 0
	for level := range levels + 1 {
		least, most := p.heat.turnsOf(level, above, l.grain)
		if least > most {
			continue
		}
		said := theme.Short(least)
		if most > least {
			said += th.Glyphs.Dash + theme.Short(most)
		}
		cell := th.Heat(level, l.pitch < 2, false)
		line += "  " + cell + " " + th.Faint.Render(said)
		cells, last = cells+cell, most
	}
	return []string{
		th.Faint.Render("turns ") + line,
		line,
		th.Faint.Render("0 ") + cells + th.Faint.Render(" "+theme.Short(last)+" turns "+each),
	}
}

// columnNames draws the names of the months, or the days, above the map.
func (p *Page) columnNames(l plan) string {
	above, line := p.hidden(l, l.rows.from-1, p.ui.Theme.Glyphs.Above), ""
	used := l.left
	name := func(cell int, said string) {
		if gap := l.left + l.column(cell) - used; gap > 0 || cell == 0 {
			line += strings.Repeat(" ", gap) + said
			used += gap + len(said)
		}
	}
	if p.heat.byDay {
		for day := 1; day <= daysOfMonth; day += 7 {
			name(day-1, strconv.Itoa(day))
		}
		return above + p.ui.Theme.Faint.Render(line)
	}
	for month := time.January; month <= time.December; month++ {
		at := (int(month) - 1) * weeksOfYear / 12
		if l.grain == daily { // of a year that begins in the middle of a week, a week before or after that of others
			at = (time.Date(2026, month, 1, 0, 0, 0, 0, time.UTC).YearDay() + 2) / daysOfWeek
		}
		name(at, month.String()[:3])
	}
	return above + p.ui.Theme.Faint.Render(line)
}

// hidden draws the name of a row out of view, with an arrow as for a key that leads to it, in the cells left of the
// map; they are empty if there is none.
func (p *Page) hidden(l plan, i int, arrow string) string {
	th := p.ui.Theme
	if i < 0 || i >= len(p.heat.rows) {
		return strings.Repeat(" ", l.left)
	}
	return th.Fit(th.Key.Render(arrow)+" "+th.Dim.Render(p.heat.name(p.heat.rows[i].number)), l.left)
}

// cells draws the cells of a row.
func (p *Page) cells(l plan, r *row, above [levels]int) string {
	th := p.ui.Theme
	var line strings.Builder
	line.WriteString(p.indent(false) + th.Bold.Render(fmt.Sprintf("%-*s", l.left-margin, p.heat.name(r.number))))
	from, to := -1, -1
	if p.focused && p.cursor.section == inMap && p.cursor.part.row == r.number {
		from, to = p.heat.cellsOfPart(p.cursor.part)
	}
	step := 1
	if l.pitch == 0 {
		step = 2
	}
	for at := 0; at < p.heat.width(); at += step {
		cell := " "
		if at+step > r.from && at < r.to {
			n := r.cells[at]
			if step == 2 && at+1 < p.heat.width() {
				n = (n + r.cells[at+1] + 1) / 2
			}
			cell = th.Heat(level(n, above), l.pitch < 2, at >= from && at < to)
		}
		line.WriteString(strings.Repeat(cell, max(1, l.pitch-1)))
		switch {
		case l.pitch < 2:
		case th.Shaded && at >= from && at < min(to, r.to)-1: // the line below a full cell cannot be seen
			line.WriteString(th.Chosen[0].Render(" "))
		default:
			line.WriteByte(' ')
		}
	}
	return line.String()
}

// about draws what the parts of a row were about.
func (p *Page) about(l plan, r *row) string {
	th := p.ui.Theme
	width := margin + len("2006")
	line := strings.Repeat(" ", width)
	if l.grain == coarse {
		line = th.Faint.Render(fmt.Sprintf("%*s", width, theme.Short(r.turns)))
	}
	before, ruled := "", false // what the part before was about, and whether the line ends with a rule
	for of := range partsOfRow {
		at := part{r.number, of}
		from, to := p.heat.columnsOfPart(at, l.grain)
		if !p.heat.has(at) {
			continue
		}
		x := l.left + l.column(from)
		end := l.left + l.column(to) - 2 // before a space, and that of the next pointer
		room := end - x
		if of == partsOfRow-1 {
			room = l.edge - x
		}
		said := p.label(p.read.parts[at], room)
		if first := l.left + l.column(r.from); l.grain == coarse && x < first && first < end { // it has no turns before
			if p.label(p.read.parts[at], room-first+x) == said {
				x = first
			}
		}
		pointer, style := " ", th.Dim
		if p.focused && p.cursor.section == inMap && p.cursor.part == at {
			pointer, style = th.Glyphs.Chosen, th.Accent
		} else if said != "" && said == before { // a rule goes on with it
			if !ruled {
				line, width, ruled = line+" ", width+1, true
			}
			rule := max(0, end-width)
			line += th.Rule.Render(strings.Repeat(th.Glyphs.Onward, rule))
			width += rule
			continue
		}
		before, ruled = said, false
		line += strings.Repeat(" ", max(0, x-1-width)) + style.Render(pointer+said)
		width = max(width, x-1) + 1 + theme.Width(said)
	}
	return line
}

// label says in few words what a time was about: the topics that it had more of than usual beyond chance, else the one
// that comes nearest to that, or the title of the one chat that is most of it; else a title.
func (p *Page) label(a retrieval.About, room int) (said string) {
	th := p.ui.Theme
	topics := a.Distinctive()
	if len(topics) > 0 && topics[0].Mostly != nil && !topics[0].Unusual && room >= leastTitle {
		return ansi.Truncate(ui.Line(topics[0].Mostly.Title), room, th.Glyphs.Ellipsis)
	}
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
	return said
}

// leastTitle is the least room for a title.
const leastTitle = 5
