package home

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"lens/internal/chart"
	"lens/retrieval"
	"lens/retrieval/timebin"
	"lens/tui/histogram"
	"lens/tui/theme"
	"lens/tui/ui"
)

// below draws what is below the heat map.
func (p *Page) below(l plan) []string {
	left, right := p.topicRows(l), p.momentRows(l)
	if !l.wide {
		if len(left) > 0 && len(right) > 0 {
			left = append(left, "")
		}
		return append(left, right...)
	}
	if hours := p.hourLines(l); len(hours) > 0 {
		right = append(append(hours, ""), right...)
	}
	lines := make([]string, max(len(left), len(right)))
	for i := range lines {
		if i < len(left) {
			lines[i] = left[i]
		}
		if i < len(right) {
			lines[i] = p.ui.Theme.Fit(lines[i], l.hours.x) + right[i]
		}
	}
	return lines
}

// indent returns the cells before a row, with a pointer if that is chosen.
func (p *Page) indent(chosen bool) string {
	if chosen {
		return p.ui.Theme.Selected.Render(p.ui.Theme.Glyphs.Row) + strings.Repeat(" ", margin-1)
	}
	return strings.Repeat(" ", margin)
}

// onGround draws a row on the ground of the one under the cursor, in exactly width cells, if it is that.
func (p *Page) onGround(line string, width int, chosen bool) string {
	if !chosen {
		return line
	}
	return p.ui.Theme.Row.Under(p.ui.Theme.Fit(line, width))
}

// topicRows draws the topics below a title, nothing if there are none.
func (p *Page) topicRows(l plan) []string {
	th, topics := p.ui.Theme, p.read.topics.Topics
	if l.topics.rows == 0 {
		return nil
	}
	said := ""
	if l.topics.rows < len(topics) {
		said = fmt.Sprintf("%d%s%d of %d", l.topics.first+1, th.Glyphs.Dash, l.topics.first+l.topics.rows, len(topics))
	}
	if unit, err := timebin.Parse(p.read.topics.Bin); err == nil {
		said = th.Remarks(said, "by "+unit.Words())
	}
	title := p.indent(false) + th.Bold.Render("Topics") + "  " + th.Dim.Render(said)
	lines := append([]string{title}, make([]string, l.air)...)
	columns := p.topicColumns(l.topics.width)
	for i := l.topics.first; i < l.topics.first+l.topics.rows; i++ {
		chosen := p.isAt(inTopics, i)
		lines = append(lines, p.onGround(p.topicRow(&topics[i], columns, chosen), margin+l.topics.width, chosen))
	}
	if l.rest {
		said := theme.Count(p.read.topics.Rest(), "turn", "turns") + " in chats without a topic"
		lines = append(lines, p.indent(false)+th.Dim.Render(ansi.Truncate(said, l.topics.width, th.Glyphs.Ellipsis)))
	}
	return lines
}

// turnsWidth is that of a topic's number of turns. A page narrower than leastReturned does not say that one came back.
// That is said in short where names would have no room for two words, of mostNamed cells at most.
const (
	turnsWidth    = 5
	leastReturned = 56
	mostNamed     = 24
)

// topicColumns are the columns of the rows of topics, in which all of them are aligned.
type topicColumns struct {
	name int                          // cells
	back func(retrieval.Topic) string // says that a topic came back
}

// topicColumns gives names the width of the longest, so that what is beside them stays near, and shortens first what
// says that a topic came back.
func (p *Page) topicColumns(width int) topicColumns {
	bins, longest, named := 0, 0, 0
	for _, t := range p.read.topics.Topics {
		bins = max(bins, len(t.Bins))
		longest = max(longest, theme.Width(ui.Line(p.nameOf(&t, width)))+2)
		named = max(named, min(theme.Width(ui.Line(p.nameOf(&t, 0)))+1, mostNamed))
	}
	room := width - margin - bins - turnsWidth - 3
	c := topicColumns{min(room, longest), func(retrieval.Topic) string { return "" }}
	if width < leastReturned {
		return c
	}
	long := func(months int) string { return "back after " + theme.Count(months, "month", "months") }
	brief := func(months int) string { return theme.Number(months) + "-month gap" }
	for _, says := range []func(months int) string{long, brief} {
		c.back = func(t retrieval.Topic) string {
			if t.Returned == nil {
				return ""
			}
			return says(t.Returned.Months())
		}
		back := 0
		for _, t := range p.read.topics.Topics {
			back = max(back, theme.Width(c.back(t)))
		}
		if c.name = min(room-back, longest); c.name >= min(named, longest) {
			break
		}
	}
	return c
}

// topicRow draws a topic: what it is called, when it was alive, its turns, and whether it came back.
func (p *Page) topicRow(t *retrieval.Topic, columns topicColumns, chosen bool) string {
	th := p.ui.Theme
	counts := make([]float64, len(t.Bins))
	most := 1.0
	for i, b := range t.Bins {
		counts[i] = float64(b.Count)
		most = max(most, counts[i])
	}
	spark := chart.Sparkline(counts, most*8/sparkHeight(th), sparkGlyphs(th))
	name := columns.name
	return p.indent(chosen) + p.title(p.nameOf(t, name-1), name, chosen) + " " +
		th.Bar.Render(th.Fit(spark, len(counts))) +
		th.Dim.Render(fmt.Sprintf("%*s  ", turnsWidth, theme.Short(t.Turns))) + th.Dim.Render(columns.back(*t))
}

// sparkHeight is the greatest height of a bar beside a topic in eighths of a line, so that rows stay apart. The last
// character of ASCII stands for the seventh and the eighth.
func sparkHeight(th theme.Theme) float64 {
	if th.Name == theme.ASCII {
		return 7
	}
	return 6
}

// sparkGlyphs are those of the chart but for ASCII, whose digits would be read as a number beside that of the turns.
func sparkGlyphs(th theme.Theme) *chart.Glyphs {
	glyphs := *histogram.Glyphs(th)
	if th.Name == theme.ASCII {
		glyphs.Levels = nil
		for _, level := range th.Glyphs.Heat[1:] { // a glyph means the same in both
			glyphs.Levels = append(glyphs.Levels, level, level)
		}
	}
	return &glyphs
}

// nameOf returns the first words of a topic, at least two and as many as fit, its title if it has none.
func (p *Page) nameOf(t *retrieval.Topic, width int) (name string) {
	for i, word := range t.Words {
		next := p.ui.Theme.Remarks(name, ui.Line(word))
		if i > 1 && theme.Width(next) > width {
			break
		}
		name = next
	}
	return cmp.Or(name, t.Title)
}

// title draws what a row is called in exactly width cells.
func (p *Page) title(text string, width int, chosen bool) string {
	shown := p.ui.Theme.Fit(ui.Line(text), width)
	if chosen {
		return p.ui.Theme.Cursor.Render(shown)
	}
	return shown
}

// momentRows draws the moments below a title, nothing if there are none.
func (p *Page) momentRows(l plan) []string {
	th := p.ui.Theme
	if l.moments.rows == 0 {
		return nil
	}
	lines := append([]string{p.indent(false) + th.Bold.Render(p.read.momentsAre)}, make([]string, l.moments.head-1)...)
	for i := l.moments.first; i < l.moments.first+l.moments.rows; i++ {
		m, chosen := &p.read.moments[i], p.isAt(inMoments, i)
		turns := theme.Count(m.Turns, "turn", "turns")
		if m.Conversations > 1 { // and the title is that of one
			turns += " in " + theme.Count(m.Conversations, "chat", "chats")
		}
		width := l.moments.width - margin - theme.Width(m.name) - len(turns) - 4
		line := p.indent(chosen) + th.Dim.Render(m.name) + "  " +
			p.title(m.title.Title, width, chosen) + "  " + th.Dim.Render(turns)
		lines = append(lines, p.onGround(line, l.moments.width, chosen))
		if l.moments.each > 1 {
			below := strings.Repeat(" ", margin+theme.Width(m.name)+2)
			line = below + th.Dim.Render(th.Fit(ui.Line(m.question), l.moments.width-len(below)))
			lines = append(lines, p.onGround(line, l.moments.width, chosen))
		}
	}
	return lines
}

// isAt reports whether the cursor is on a row.
func (p *Page) isAt(s section, row int) bool {
	return p.focused && p.cursor.section == s && p.cursor.row == row
}

// hourLines draws at which hours one asks.
func (p *Page) hourLines(l plan) []string {
	th, habits := p.ui.Theme, p.read.habits
	if l.hours.rows == 0 {
		return nil
	}
	most := slices.Max(habits.Hours[:])
	fullest := slices.Index(habits.Hours[:], most)
	bars := chart.Bars{
		Columns: chart.Equal(len(habits.Hours), hourWidth), Bars: make([]chart.Bar, len(habits.Hours)),
		Scale:  chart.Scale{Top: max(1, float64(most)), Rows: l.hours.rows},
		Glyphs: histogram.Glyphs(th), Styles: histogram.BarStyles(th),
	}
	for i, n := range habits.Hours {
		bars.Bars[i] = chart.Bar{Value: float64(n), Chosen: most > 0 && i == fullest}
	}
	zone := "UTC"
	if p.ui.In(p.ui.Now()).Location() != time.UTC {
		zone = "local time" // an abbreviation holds for summer or for winter
	}
	said := th.Dim.Render("by hour, " + zone)
	if most > 0 {
		day := time.Weekday(slices.Index(habits.Weekdays[:], slices.Max(habits.Weekdays[:])))
		said = th.Dim.Render("most at ") + th.Selected.Render(fmt.Sprintf("%02d:00", fullest)) +
			th.Dim.Render(" "+zone+" and on "+day.String()+"s")
	}
	lines := []string{th.Bold.Render("When you ask") + "  " + said}
	lines = append(lines, make([]string, l.air)...)
	lines = append(lines, bars.Draw()...)
	axis := ""
	for hour := range habits.Hours {
		name, style := fmt.Sprintf("%02d", hour), th.Faint
		if most > 0 && hour == fullest {
			style = th.Selected
		} else if hour%6 != 0 || most > 0 && max(hour-fullest, fullest-hour) == 1 { // names do not touch
			name = "  "
		}
		axis += style.Render(name)
	}
	lines = append(lines, axis)
	if l.weekdays {
		for i, day := range p.weekdays() {
			at := i + 1 + l.air
			lines[at] = th.Fit(lines[at], hourWidth+2*margin) + day
		}
	}
	for i := range lines {
		lines[i] = p.indent(false) + lines[i]
	}
	return lines
}

// weekdays draws on which days one asks, Monday first.
func (p *Page) weekdays() (lines [dayRows]string) {
	th, counts := p.ui.Theme, p.read.habits.Weekdays
	most := max(1, slices.Max(counts[:]))
	for i := range lines {
		day := time.Weekday((i + 1) % dayRows)
		length := (counts[day]*(dayWidth-2*margin-3) + most/2) / most
		bar := strings.Repeat(th.Glyphs.Score[0], length)
		style := th.Bar
		if counts[day] == most {
			style = th.Selected
		}
		lines[i] = th.Faint.Render(day.String()[:2]) + " " + style.Render(bar)
	}
	return lines
}
