package theme

import (
	"strings"
	"time"
)

// Dates are written as people read them, the day first. They say what time it is where their time is: put it into the
// zone of the screen first. What programs read, and what a query is typed with, is ISO 8601 instead.

// Undated stands in a column of days for what has none.
const Undated = "undated    "

// Day writes a day: 2 Jun 2024.
func Day(t time.Time) string { return t.Format("2 Jan 2006") }

// DayColumn writes a day for a column of them: as wide as the longest, so that months and years stand below each other.
func DayColumn(t time.Time) string { return t.Format("_2 Jan 2006") }

// Weekday writes a day with its weekday: Fri 14 Jun 2024.
func Weekday(t time.Time) string { return t.Format("Mon 2 Jan 2006") }

// Month writes a month: Jun 2024.
func Month(t time.Time) string { return t.Format("Jan 2006") }

// LongMonth writes a month in a heading: June 2024.
func LongMonth(t time.Time) string { return t.Format("January 2006") }

// Year writes a year: 2024.
func Year(t time.Time) string { return t.Format("2006") }

// Clock writes a time of day: 09:31.
func Clock(t time.Time) string { return t.Format("15:04") }

// Moment writes a time to the minute, with its zone: Fri 14 Jun 2024, 09:31 UTC.
func Moment(t time.Time) string { return Weekday(t) + ", " + t.Format("15:04 MST") }

// Days writes a span from one day to another: 6–12 May 2024, 29 Apr – 5 May 2024.
func (t Theme) Days(from, to time.Time) string {
	switch {
	case from.Year() != to.Year():
		return t.Span(Day(from), Day(to))
	case from.Month() != to.Month():
		return t.Span(from.Format("2 Jan"), Day(to))
	case from.Day() != to.Day():
		return t.Span(from.Format("2"), Day(to))
	}
	return Day(to)
}

// Months writes a span from one month to another: Mar–Aug 2024, Nov 2024 – Jan 2025.
func (t Theme) Months(from, to time.Time) string {
	if from.Year() == to.Year() && from.Month() != to.Month() {
		return t.Span(from.Format("Jan"), Month(to))
	}
	return t.Span(Month(from), Month(to))
}

// Years writes a span from one year to another: 2022–2024.
func (t Theme) Years(from, to time.Time) string { return t.Span(Year(from), Year(to)) }

// Span joins the names of the first and the last part of a span, which may be one. The dash has blanks around it where
// the first name has more than one word.
func (t Theme) Span(first, last string) string {
	switch {
	case first == last:
		return first
	case strings.Contains(first, " "):
		return first + " " + t.Glyphs.Dash + " " + last
	}
	return first + t.Glyphs.Dash + last
}
