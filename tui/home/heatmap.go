package home

import (
	"slices"
	"time"

	"lens/retrieval"
	"lens/tui/theme"
	"lens/tui/zoom"
)

// heatMap counts the turns of an archive: a row is a year and a cell a week of it or, in an archive of at most twelve
// months, a row is a month and a cell a day.
type heatMap struct {
	rows        []row // from the first turn to the last
	byDay       bool
	first, last time.Time // the days of the first and the last turn
}

// row counts the turns of a year or of a month.
type row struct {
	number       int // the year; of a month, months since the year 0
	turns        int
	cells        [weeksOfYear]int
	from, to     int             // the cell of the first turn of the archive, and the one after the last
	days         [daysOfYear]int // of a year
	since, until int             // the same of days
}

// grain is what a cell of the map stands for.
type grain int

const (
	coarse grain = iota // a week of a year, or a day of a month
	daily               // a day of a year: a column is a week then, from Monday on
)

// counts returns the turns of its cells.
func (r *row) counts(g grain) []int {
	if g == daily {
		return r.days[:]
	}
	return r.cells[:]
}

const (
	// weeksOfYear is how many weeks a row has. They are counted from 1 January, so that the months of all years stand
	// below each other, and the last one has a day or two more.
	weeksOfYear = 52
	daysOfMonth = 31
	daysOfYear  = 366
	daysOfWeek  = 7

	// longestGap is how many years without turns are shown between two with turns. A wrong clock would show a thousand.
	longestGap = 5

	// fewMonths is how many months have names of their own.
	fewMonths = 12
)

// countTurns counts the turns of days.
func countTurns(days []retrieval.HistogramBin) heatMap {
	days = slices.DeleteFunc(slices.Clone(days), func(d retrieval.HistogramBin) bool { return d.Count == 0 })
	if len(days) == 0 {
		return heatMap{}
	}
	m := heatMap{first: days[0].Start.UTC(), last: days[len(days)-1].Start.UTC()}
	m.byDay = monthOf(m.last)-monthOf(m.first) < fewMonths
	for _, d := range days {
		m.add(d.Start.UTC(), d.Count)
	}
	return m
}

// add counts n turns of a day, which is not before those that were counted.
func (m *heatMap) add(day time.Time, n int) {
	number, cell, ofYear := day.Year(), weekOf(day), day.YearDay()-1
	if m.byDay {
		number, cell = monthOf(day), day.Day()-1
	}
	if len(m.rows) == 0 {
		m.rows = []row{{number: number, from: cell, since: ofYear}}
	}
	last := &m.rows[len(m.rows)-1]
	if gap := number - last.number; gap > 0 {
		last.to, last.until = m.cellsOf(last.number), m.daysOf(last.number)
		shown := gap
		if !m.byDay {
			shown = min(gap, longestGap+1)
		}
		for at := number - shown + 1; at <= number; at++ {
			m.rows = append(m.rows, row{number: at, to: m.cellsOf(at), until: m.daysOf(at)})
		}
		last = &m.rows[len(m.rows)-1]
	}
	last.turns += n
	last.cells[cell] += n
	last.days[ofYear] += n
	last.to, last.until = cell+1, ofYear+1
}

// monthOf counts months since the year 0.
func monthOf(t time.Time) int { return 12*t.Year() + int(t.Month()) - 1 }

// weekOf returns the week of the year that a day belongs to.
func weekOf(t time.Time) int { return min((t.YearDay()-1)/7, weeksOfYear-1) }

// startOf returns the first day of a row.
func (m *heatMap) startOf(number int) time.Time {
	if m.byDay {
		return time.Date(0, time.Month(number+1), 1, 0, 0, 0, 0, time.UTC)
	}
	return time.Date(number, time.January, 1, 0, 0, 0, 0, time.UTC)
}

// cellsOf returns how many cells a row has.
func (m *heatMap) cellsOf(number int) int {
	if m.byDay {
		return m.startOf(number+1).AddDate(0, 0, -1).Day()
	}
	return weeksOfYear
}

// daysOf returns how many days a row has.
func (m *heatMap) daysOf(number int) int {
	return m.startOf(number+1).AddDate(0, 0, -1).YearDay()
}

// weekday returns the weekday of the first day of a row, 0 for Monday.
func (m *heatMap) weekday(number int) int {
	return int(m.startOf(number).Weekday()+daysOfWeek-1) % daysOfWeek
}

// columns returns how many cells stand beside each other in the longest row.
func (m *heatMap) columns(g grain) (most int) {
	if g == coarse {
		return m.width()
	}
	for i := range m.rows {
		number := m.rows[i].number
		most = max(most, (m.weekday(number)+m.daysOf(number)-1)/daysOfWeek+1)
	}
	return most
}

// columnsOfPart returns the columns [from, to) of a part. A week that two of them share is in the later one.
func (m *heatMap) columnsOfPart(p part, g grain) (from, to int) {
	if g == coarse {
		return m.cellsOfPart(p)
	}
	since, until := m.daysOfPart(p)
	before := m.weekday(p.row)
	if p.of == partsOfRow-1 {
		until += daysOfWeek - 1 // its last week may be short
	}
	return (before + since) / daysOfWeek, (before + until) / daysOfWeek
}

// daysOfPart returns the days [since, until) of a quarter.
func (m *heatMap) daysOfPart(p part) (since, until int) {
	w := m.window(p)
	return w.Since.YearDay() - 1, w.Until.AddDate(0, 0, -1).YearDay()
}

// width returns how many cells the longest row has.
func (m *heatMap) width() int {
	if m.byDay {
		return daysOfMonth
	}
	return weeksOfYear
}

// name returns what a row is called.
func (m *heatMap) name(number int) string {
	if m.byDay {
		return m.startOf(number).Format("Jan")
	}
	return theme.Year(m.startOf(number))
}

// levels is how many colors cells with turns have.
const levels = 4

// quartiles returns what a cell must exceed for each color.
func (m *heatMap) quartiles(g grain) (above [levels]int) {
	var counts []int
	for i := range m.rows {
		for _, n := range m.rows[i].counts(g) {
			if n > 0 {
				counts = append(counts, n)
			}
		}
	}
	slices.Sort(counts)
	for i := 1; i < levels && len(counts) > 0; i++ {
		above[i] = counts[i*len(counts)/levels]
	}
	return above
}

// level returns the color of a cell with n turns: 0 for none, else 1 to levels.
func level(n int, above [levels]int) int {
	for i := levels; i > 0; i-- {
		if n > above[i-1] {
			return i
		}
	}
	return 0
}

// turnsOf returns the fewest and the most turns of the cells of a level; least is above most where no cell can
// have it.
func (m *heatMap) turnsOf(level int, above [levels]int, g grain) (least, most int) {
	switch level {
	case 0:
		return 0, 0
	case levels:
		for i := range m.rows {
			most = max(most, slices.Max(m.rows[i].counts(g)))
		}
		return above[levels-1] + 1, most
	}
	return above[level-1] + 1, above[level]
}

// part is a part of a row of which the page says what it was about: a quarter of a year, or a week of a month, the last
// of which has up to ten days.
type part struct {
	row int // its number
	of  int // 0 to partsOfRow-1
}

const partsOfRow = 4

// compare orders parts by time.
func (p part) compare(q part) int { return partsOfRow*(p.row-q.row) + p.of - q.of }

// window returns the time of a part.
func (m *heatMap) window(p part) retrieval.Window {
	if !m.byDay {
		since := m.startOf(p.row).AddDate(0, 3*p.of, 0)
		return retrieval.Window{Since: since, Until: since.AddDate(0, 3, 0)}
	}
	from, _ := m.cellsOfPart(p)
	w := retrieval.Window{Since: m.startOf(p.row).AddDate(0, 0, from), Until: m.startOf(p.row + 1)}
	if p.of < partsOfRow-1 {
		w.Until = w.Since.AddDate(0, 0, 7)
	}
	return w
}

// cellsOfPart returns the cells [from, to) of a part, the same in all rows. Those of a quarter begin at most a day
// before it or after.
func (m *heatMap) cellsOfPart(p part) (from, to int) {
	each := m.width() / partsOfRow
	from, to = p.of*each, (p.of+1)*each
	if p.of == partsOfRow-1 {
		to = m.width()
	}
	return from, to
}

// parts returns the parts from the first turn to the last, oldest first.
func (m *heatMap) parts() (all []part) {
	for i := range m.rows {
		for of := range partsOfRow {
			if p := (part{m.rows[i].number, of}); m.has(p) {
				all = append(all, p)
			}
		}
	}
	return all
}

// has reports whether a part is between the first turn and the last.
func (m *heatMap) has(p part) bool {
	w := m.window(p)
	return !w.Since.After(m.last) && w.Until.After(m.first)
}

// nearest returns the part of the archive that is nearest to p.
func (m *heatMap) nearest(p part) part {
	all := m.parts()
	if len(all) == 0 {
		return p
	}
	at, _ := slices.BinarySearchFunc(all, p, part.compare)
	return all[min(at, len(all)-1)]
}

// index returns the index of the row with a number, 0 if there is none.
func (m *heatMap) index(number int) int {
	return max(0, slices.IndexFunc(m.rows, func(r row) bool { return r.number == number }))
}

func spanOf(w retrieval.Window) zoom.Span { return zoom.Span{From: w.Since.Unix(), To: w.Until.Unix()} }

// monday returns the beginning of the week of a time, in its zone.
func monday(t time.Time) time.Time {
	day := t.Day() - (int(t.Weekday())+6)%7
	return time.Date(t.Year(), t.Month(), day, 0, 0, 0, 0, t.Location())
}

// earlierWeeks returns the week of now in earlier years, the latest first.
func (m *heatMap) earlierWeeks(now time.Time) (all []retrieval.Window) {
	years := make([]int, 0, len(m.rows))
	for i := range m.rows {
		years = append(years, m.startOf(m.rows[i].number).Year())
	}
	for _, year := range slices.Backward(slices.Compact(years)) {
		if back := now.Year() - year; back > 0 {
			begin := monday(now.AddDate(-back, 0, 0))
			all = append(all, retrieval.Window{Since: begin, Until: begin.AddDate(0, 0, 7)})
		}
	}
	return all
}
