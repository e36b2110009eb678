package histogram

import (
	"strconv"
	"strings"
	"time"

	"lens/retrieval/timebin"
)

// A level is a density of labels: each bin that begins a new period gets one.
type level struct {
	period func(t time.Time) int64
	label  func(t time.Time, withYear bool) string
}

// levels go from the finest to the coarsest.
var levels = []level{
	{hours(1), clock},
	{hours(3), clock},
	{hours(6), clock},
	{hours(12), clock},
	{hours(24), dayName},
	{weeks(1), dayName},
	{weeks(2), dayName},
	{months(1), monthName},
	{months(3), monthName},
	{months(6), monthName},
	{months(12), yearName},
	{months(24), yearName},
	{months(60), yearName},
	{months(120), yearName},
}

// finest is the first level without repeated labels for each unit.
var finest = map[timebin.Unit]int{
	timebin.Hour:    0,
	timebin.Day:     4,
	timebin.Week:    4,
	timebin.Month:   7,
	timebin.Quarter: 7,
	timebin.Year:    10,
}

// gap is the least room between two labels.
const gap = 2

// axis labels bins at their first columns, at the finest level that fits.
func (p plot) axis() string {
	if len(p.Bins) == 0 {
		return ""
	}
	for _, l := range levels[finest[p.Unit.Unit]:] {
		if line, ok := p.labeled(l); ok {
			return line
		}
	}
	return dayName(time.Unix(p.Bins[0].Start, 0).UTC(), true)
}

// labeled returns the labels of a level; false when two of them collide or there are none.
func (p plot) labeled(l level) (string, bool) {
	label := l.label
	if p.Unit.Unit == timebin.Week { // weeks do not begin with months: label their Monday
		label = dayName
	}
	var line strings.Builder
	year, used := -1, -gap
	for i, b := range p.Bins {
		t := time.Unix(b.Start, 0).UTC()
		if i == 0 && !p.begins(l, b.Start) || i > 0 && l.period(t) == l.period(time.Unix(p.Bins[i-1].Start, 0).UTC()) {
			continue
		}
		text := label(t, t.Year() != year)
		from, _ := p.span(i)
		if from < used+gap {
			return "", false
		}
		if from+len(text) > p.columns {
			break
		}
		year = t.Year()
		line.WriteString(strings.Repeat(" ", from-line.Len()) + text)
		used = line.Len()
	}
	return p.withFirst(line.String()), line.Len() > 0
}

// withFirst also labels the first edge if there is room, so that the bins left of the first label have a date.
func (p plot) withFirst(line string) string {
	start := time.Unix(p.Bins[0].Start, 0).UTC()
	label := dayName(start, true)
	switch p.Unit.Unit {
	case timebin.Year:
		label = yearName(start, true)
	case timebin.Quarter, timebin.Month:
		label = monthName(start, true)
	}
	if free := len(line) - len(strings.TrimLeft(line, " ")); free >= len(label)+gap {
		return label + line[len(label):]
	}
	return line
}

// begins reports whether a period of l begins with the bin at start, rather than somewhere before it.
func (p plot) begins(l level, start int64) bool {
	return l.period(time.Unix(start, 0).UTC()) != l.period(time.Unix(start-1, 0).UTC())
}

func hours(n int64) func(time.Time) int64 {
	return func(t time.Time) int64 { return timebin.Bin{Unit: timebin.Hour, N: n}.Floor(t.Unix()) }
}

func weeks(n int64) func(time.Time) int64 {
	return func(t time.Time) int64 {
		return floorDiv(timebin.Bin{Unit: timebin.Week, N: 1}.Floor(t.Unix())/86400, 7*n)
	}
}

func months(n int64) func(time.Time) int64 {
	return func(t time.Time) int64 { return floorDiv(int64(t.Year())*12+int64(t.Month())-1, n) }
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// clock names an hour, and midnight by its day.
func clock(t time.Time, withYear bool) string {
	if t.Hour() == 0 || withYear {
		return dayName(t, withYear)
	}
	return t.Format("15:04")
}

func dayName(t time.Time, withYear bool) string {
	if withYear {
		return t.Format("2 Jan 2006")
	}
	return t.Format("2 Jan")
}

func monthName(t time.Time, withYear bool) string {
	if withYear {
		return t.Format("Jan 2006")
	}
	return t.Format("Jan")
}

func yearName(t time.Time, _ bool) string { return strconv.Itoa(t.Year()) }
