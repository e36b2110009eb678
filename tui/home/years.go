package home

import (
	"slices"
	"time"

	"lens/retrieval"
	"lens/tui/zoom"
)

// weeksOfYear is how many weeks a row of the heat map has. They are counted from 1 January, so that the months of all
// years stand below each other, and the last one has a day or two more.
const weeksOfYear = 52

// year counts the turns of one year.
type year struct {
	number   int
	turns    int
	weeks    [weeksOfYear]int
	from, to int // the week of the first turn of the archive, and the one after the last
}

// years are the years of an archive, from that of its first to that of its last turn.
type years []year

// longestGap is how many years without turns are shown between two with turns. A wrong clock would show a thousand.
const longestGap = 5

// countYears counts the turns of days.
func countYears(days []retrieval.HistogramBin) years {
	var all years
	for _, d := range days {
		if d.Count == 0 {
			continue
		}
		t := d.Start.UTC()
		if len(all) == 0 {
			all = years{{number: t.Year(), from: weekOf(t)}}
		}
		last := &all[len(all)-1]
		if gap := t.Year() - last.number; gap > 0 {
			last.to = weeksOfYear
			for n := t.Year() - min(gap-1, longestGap); n <= t.Year(); n++ {
				all = append(all, year{number: n, to: weeksOfYear})
			}
			last = &all[len(all)-1]
		}
		last.turns += d.Count
		last.weeks[weekOf(t)] += d.Count
		last.to = weekOf(t) + 1
	}
	return all
}

// weekOf returns the week of the year that a day belongs to.
func weekOf(t time.Time) int { return min((t.YearDay()-1)/7, weeksOfYear-1) }

// levels is how many colors weeks with turns have.
const levels = 4

// quartiles returns what a week must exceed for each color.
func (y years) quartiles() (above [levels]int) {
	var counts []int
	for i := range y {
		for _, n := range y[i].weeks {
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

// level returns the color of a week with n turns: 0 for none, else 1 to levels.
func level(n int, above [levels]int) int {
	for i := levels; i > 0; i-- {
		if n > above[i-1] {
			return i
		}
	}
	return 0
}

// quarter is a quarter of a year.
type quarter struct {
	year int
	of   int // 0 to 3
}

func (q quarter) start() time.Time {
	return time.Date(q.year, time.Month(3*q.of+1), 1, 0, 0, 0, 0, time.UTC)
}

func (q quarter) window() retrieval.Window {
	return retrieval.Window{Since: q.start(), Until: q.start().AddDate(0, 3, 0)}
}

func spanOf(w retrieval.Window) zoom.Span { return zoom.Span{From: w.Since.Unix(), To: w.Until.Unix()} }

// weeks returns the weeks [from, to) that the quarter has in the heat map, the same in all years. They begin at most a
// day before it or after.
func (q quarter) weeks() (from, to int) {
	const each = weeksOfYear / 4
	return q.of * each, (q.of + 1) * each
}

// quarters returns the quarters from the first turn to the last, oldest first.
func (p *Page) quarters() (all []quarter) {
	for i := range p.years {
		for of := range 4 {
			if q := (quarter{p.years[i].number, of}); p.has(q) {
				all = append(all, q)
			}
		}
	}
	return all
}

// has reports whether a quarter is between the first turn and the last.
func (p *Page) has(q quarter) bool {
	w := q.window()
	return !w.Since.After(p.last) && w.Until.After(p.first)
}

// monday returns the beginning of the week of a time, in its zone.
func monday(t time.Time) time.Time {
	day := t.Day() - (int(t.Weekday())+6)%7
	return time.Date(t.Year(), t.Month(), day, 0, 0, 0, 0, t.Location())
}

// earlierWeeks returns the week of now in earlier years, the latest first.
func (y years) earlierWeeks(now time.Time) (all []retrieval.Window) {
	for _, earlier := range slices.Backward(y) {
		if back := now.Year() - earlier.number; back > 0 {
			begin := monday(now.AddDate(-back, 0, 0))
			all = append(all, retrieval.Window{Since: begin, Until: begin.AddDate(0, 0, 7)})
		}
	}
	return all
}
