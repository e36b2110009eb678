package main

import (
	"fmt"
	"time"

	"lens/retrieval"
	"lens/retrieval/timebin"
)

// Lens writes dates for people in one way: 2024-05-03, with a time of day 2024-05-03 14:00 UTC, and a bin as charts
// label it: 2024-05, 2024-Q2, 2024. JSON has RFC 3339.

// day formats a time for lists; every result has the same width.
func day(t *time.Time) string {
	if t == nil {
		return "undated   "
	}
	return date(*t)
}

func date(t time.Time) string { return t.UTC().Format(time.DateOnly) }

func moment(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }

// stretch says when the bins from one time up to another are: in 2024-05, from 2024-05 to 2024-07, on 2024-05-03. The
// last is named by its end.
func stretch(binName string, since, until time.Time) string {
	bin, err := timebin.Parse(binName)
	if err != nil || bin.IsAuto() {
		bin = timebin.Bin{Unit: timebin.Day, N: 1}
	}
	before := "in "
	switch {
	case bin.Unit <= timebin.Hour:
		return "from " + moment(since) + " to " + moment(until)
	case bin.Unit == timebin.Week && until.Sub(since) == 7*24*time.Hour:
		return "in the week of " + date(since)
	case bin.Unit <= timebin.Week:
		bin, before = timebin.Bin{Unit: timebin.Day, N: 1}, "on "
	}
	bin.N = 1
	first, last := bin.Label(since.Unix()), bin.Label(until.Unix()-1)
	if first != last {
		return "from " + first + " to " + last
	}
	return before + first
}

// by describes the bins of a chart: "by month". Only hours name the time zone, because only they depend on it.
func by(binName string) string {
	if bin, err := timebin.Parse(binName); err == nil && bin.Unit != timebin.None && bin.Unit <= timebin.Hour {
		binName += " (UTC)"
	}
	return "by " + binName
}

// windowName names a window by its days: 2023-01-01 to 2023-12-31.
func windowName(w retrieval.Window) string {
	last := date(w.Until.Add(-time.Nanosecond))
	switch {
	case w.Since.IsZero() && w.Until.IsZero():
		return "all time"
	case w.Since.IsZero():
		return "up to " + last
	case w.Until.IsZero():
		return "since " + date(w.Since)
	case date(w.Since) == last:
		return last
	}
	return date(w.Since) + " to " + last
}

// span writes a duration as people do: 4 months.
func span(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d < 2*time.Hour:
		return count(int(d/time.Minute), "minute")
	case d < 2*day:
		return count(int(d/time.Hour), "hour")
	case d < 60*day:
		return count(int(d/day), "day")
	case d < 2*365*day:
		return count(int(d/(30*day)), "month")
	}
	return fmt.Sprintf("%.1f years", float64(d)/float64(365.25*24*float64(time.Hour)))
}
