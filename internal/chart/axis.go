package chart

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"lens/retrieval/timebin"
)

// Axis is the time axis below a plot.
type Axis struct {
	Columns
	Unit timebin.Bin
	Bins []Bin
}

// Tick is a label below the column where its bin starts.
type Tick struct {
	Column int
	Label  string
	Major  bool // it names a year
}

func (t Tick) end() int { return t.Column + len(t.Label) }

// Labels writes ticks below each other's columns, in one line.
func Labels(ticks []Tick) string {
	var line strings.Builder
	for _, t := range ticks {
		line.WriteString(strings.Repeat(" ", t.Column-line.Len()) + t.Label)
	}
	return line.String()
}

// Names labels bins in words, such as Jun 2024, at the finest level at which the labels have room. The year is always
// shown.
func (a Axis) Names() []Tick {
	if len(a.Bins) == 0 {
		return nil
	}
	if a.Unit.Unit == timebin.Week {
		return a.weekNames()
	}
	for _, l := range levels[finest[a.Unit.Unit]:] {
		if ticks := a.namesAt(l); len(ticks) > 0 {
			return a.withFirst(ticks)
		}
	}
	return a.onlyFirst()
}

// weekNames labels the first week that begins in a month, as often as there is room. Dates of Mondays would
// have to be computed; they label weeks within a month.
func (a Axis) weekNames() []Tick {
	for _, l := range weekLevels {
		if ticks := a.namesAt(l); len(ticks) > 1 {
			return ticks
		}
	}
	for _, l := range mondays {
		if ticks := a.namesAt(l); len(ticks) > 0 {
			return a.withFirst(ticks)
		}
	}
	return a.onlyFirst()
}

func (a Axis) onlyFirst() []Tick { return []Tick{{0, dayName(utc(a.Bins[0].Start), true), true}} }

// A level is a density of labels: each bin that begins a new period gets one.
type level struct {
	period func(time.Time) int64
	name   func(t time.Time, withYear bool) string
}

// levels go from the finest to the coarsest.
var levels = []level{
	{minutes(15), clock},
	{minutes(30), clock},
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

// weekLevels are those of weeks, and mondays those of weeks within a month.
var (
	weekLevels = slices.Concat([]level{{months(1), monthOfYear}}, levels[monthly:])
	mondays    = []level{{weeks(1), dayName}, {weeks(2), dayName}, {months(1), dayName}}
)

// monthly is the level of months.
const monthly = 9

// finest is the first level without repeated labels for each unit but weeks.
var finest = map[timebin.Unit]int{
	timebin.Minute:  0,
	timebin.Hour:    2,
	timebin.Day:     6,
	timebin.Month:   monthly,
	timebin.Quarter: monthly,
	timebin.Year:    12,
}

// gap is the least room between two names.
const gap = 2

// namesAt returns the labels of a level; none when two of them collide. The second one is left out where only the year
// of the first takes its room.
func (a Axis) namesAt(l level) []Tick {
	var ticks []Tick
	year, end := -1, -gap
	before := l.period(utc(a.Bins[0].Start - 1))
	for i, b := range a.Bins {
		t := utc(b.Start)
		period := l.period(t)
		if period == before {
			continue
		}
		before = period
		if a.Unit.Unit >= timebin.Month && l.period(utc(b.Start-1)) == period {
			return nil // it begins within a bin
		}
		from, _ := a.Span(i)
		tick := Tick{from, l.name(t, t.Year() != year), t.Year() != year}
		if from < end+gap {
			if len(ticks) == 1 && !tick.Major && from >= ticks[0].Column+len(l.name(t, false))+gap {
				continue
			}
			return nil
		}
		if tick.end() > a.Width {
			break
		}
		ticks = append(ticks, tick)
		year, end = t.Year(), tick.end()
	}
	return ticks
}

// withFirst also labels the first bin if there is room, so that the bins left of the first label have a date.
func (a Axis) withFirst(ticks []Tick) []Tick {
	if len(ticks) == 0 {
		return nil
	}
	name := dayName
	switch a.Unit.Unit {
	case timebin.Year:
		name = yearName
	case timebin.Quarter, timebin.Month:
		name = monthName
	}
	from, _ := a.Span(0)
	first := Tick{from, name(utc(a.Bins[0].Start), true), true}
	if ticks[0].Column < first.end()+gap {
		return ticks
	}
	return append([]Tick{first}, ticks...)
}

func utc(seconds int64) time.Time { return time.Unix(seconds, 0).UTC() }

func minutes(n int64) func(time.Time) int64 { return startOf(timebin.Bin{Unit: timebin.Minute, N: n}) }

func hours(n int64) func(time.Time) int64 { return startOf(timebin.Bin{Unit: timebin.Hour, N: n}) }

func startOf(bin timebin.Bin) func(time.Time) int64 {
	return func(t time.Time) int64 { return bin.Floor(t.Unix()) }
}

func weeks(n int64) func(time.Time) int64 {
	week, several := timebin.Bin{Unit: timebin.Week, N: 1}, timebin.Bin{Unit: timebin.Day, N: 7 * n}
	return func(t time.Time) int64 { return several.Floor(week.Floor(t.Unix())) }
}

func months(n int64) func(time.Time) int64 {
	return func(t time.Time) int64 {
		month := int64(t.Year())*12 + int64(t.Month()) - 1
		return month - (month%n+n)%n
	}
}

// clock names an hour, and midnight by its day.
func clock(t time.Time, withYear bool) string {
	if t.Hour() == 0 && t.Minute() == 0 || withYear {
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

// monthName names a month, and January by its year.
func monthName(t time.Time, withYear bool) string {
	switch {
	case withYear && t.Month() == time.January:
		return yearName(t, true)
	case withYear:
		return t.Format("Jan 2006")
	}
	return t.Format("Jan")
}

// monthOfYear names a month, and the first of a year with it.
func monthOfYear(t time.Time, withYear bool) string {
	if withYear {
		return t.Format("Jan 2006")
	}
	return t.Format("Jan")
}

func yearName(t time.Time, _ bool) string { return strconv.Itoa(t.Year()) }
