package timebin

import (
	"strconv"
	"strings"
	"time"

	"lens/internal/lazyregexp"
)

// timeExpr is one time expression as typed, without a range.
type timeExpr struct {
	Span
	instant bool // a time of day: a bound rather than a span
}

// closed returns the span of the expression, that of a time of day up to and including it. The archive's times are in
// microseconds.
func (e timeExpr) closed() Span {
	if !e.instant {
		return e.Span
	}
	return Span{e.Since, e.Since.Truncate(time.Microsecond).Add(time.Microsecond)}.withinYears()
}

// maxYear is the last year of RFC 3339, whose years have four digits. Programs send the first and the last day,
// 0001-01-01 and 9999-12-31, for open ends, and that is what they become. An end would leave out what has no time.
const maxYear = 9999

var lastDay = time.Date(maxYear, time.December, 31, 0, 0, 0, 0, time.UTC)

// withinYears returns the span with an open end if it ends on or after the last day.
func (s Span) withinYears() Span {
	if !s.Until.Before(lastDay) {
		s.Until = time.Time{}
	}
	return s
}

func parseTimeExpr(s string, now time.Time) (timeExpr, error) {
	text := strings.Join(strings.Fields(strings.ToLower(s)), " ")
	readers := []func(string, time.Time) (timeExpr, bool){readDate, readClock, readQuarter, readWeek, readNamed, readBack}
	for _, read := range readers {
		found, ok := read(text, now.UTC())
		switch {
		case !ok:
		case found.Since.Year() < 1 || found.Since.Year() > maxYear:
			return timeExpr{}, timeError("not in the years 1 to 9999")
		default:
			found.Span = found.withinYears()
			return found, nil
		}
	}
	return timeExpr{}, timeError("not a date or time")
}

// readDate reads a year, a month or a day.
func readDate(text string, _ time.Time) (timeExpr, bool) {
	if t, err := time.Parse("2006", text); err == nil {
		return timeExpr{Span: Span{t, t.AddDate(1, 0, 0)}}, true
	}
	if t, err := time.Parse("2006-1", text); err == nil {
		return timeExpr{Span: Span{t, t.AddDate(0, 1, 0)}}, true
	}
	if t, err := time.Parse("2006-1-2", text); err == nil {
		return timeExpr{Span: Span{t, t.AddDate(0, 0, 1)}}, true
	}
	return timeExpr{}, false
}

// readClock reads a day with a time of day, UTC unless it says otherwise.
func readClock(text string, _ time.Time) (timeExpr, bool) {
	text = strings.Replace(strings.ToUpper(text), " ", "T", 1)
	if t, err := time.Parse("2006-1-2T15:04", text); err == nil {
		return timeExpr{Span{t, t.Add(time.Minute)}, true}, true
	}
	for _, layout := range []string{"2006-1-2T15:04:05", time.RFC3339} {
		if t, err := time.Parse(layout, text); err == nil {
			return timeExpr{Span{t.UTC(), t.UTC().Add(time.Second)}, true}, true
		}
	}
	return timeExpr{}, false
}

var quarter = lazyregexp.New(`^(\d{4})-?q([1-4])$`)

func readQuarter(text string, _ time.Time) (timeExpr, bool) {
	m := quarter().FindStringSubmatch(text)
	if m == nil {
		return timeExpr{}, false
	}
	year, _ := strconv.Atoi(m[1])
	start := time.Date(year, time.Month(3*int(m[2][0]-'1')+1), 1, 0, 0, 0, 0, time.UTC)
	return timeExpr{Span: Span{start, start.AddDate(0, 3, 0)}}, true
}

var week = lazyregexp.New(`^(\d{4})-?w(\d{2})$|^week (\d{1,2})(?:,? (\d{4}))?$`)

// readWeek reads a week of ISO 8601. Without a year it is the latest that has begun.
func readWeek(text string, now time.Time) (timeExpr, bool) {
	m := week().FindStringSubmatch(text)
	if m == nil {
		return timeExpr{}, false
	}
	year, _ := strconv.Atoi(m[1] + m[4])
	number, _ := strconv.Atoi(m[2] + m[3])
	if m[1]+m[4] != "" {
		found, ok := WeekOf(year, number)
		return timeExpr{Span: found}, ok
	}
	const years = 7 // at most, from one with a week 53 to the next: 1896 to 1903
	for year := now.Year() + 1; year >= now.Year()-years; year-- {
		if found, ok := WeekOf(year, number); ok && !found.Since.After(now) {
			return timeExpr{Span: found}, true
		}
	}
	return timeExpr{}, false
}

// WeekOf returns a week of ISO 8601, the first of a year being the one with the fourth of January. It is false for one
// that the year does not have: week 0, or 53 of a year that has 52.
func WeekOf(year, number int) (Span, bool) {
	fourth := time.Date(year, time.January, 4, 0, 0, 0, 0, time.UTC)
	start := fourth.AddDate(0, 0, 7*(number-1)-(int(fourth.Weekday())+6)%7)
	if y, w := start.ISOWeek(); y != year || w != number {
		return Span{}, false
	}
	return Span{start, start.AddDate(0, 0, 7)}, true
}

// readNamed reads today, yesterday, this week, last month.
func readNamed(text string, now time.Time) (timeExpr, bool) {
	switch text {
	case "today":
		text = "this day"
	case "yesterday":
		text = "last day"
	}
	which, name, _ := strings.Cut(text, " ")
	for unit := Hour; unit <= Year; unit++ {
		if unitNames[unit] != name {
			continue
		}
		bin := Bin{unit, 1}
		start := bin.Floor(now.Unix())
		switch which {
		case "this":
			return between(start, bin.Next(start)), true
		case "last", "previous":
			return between(bin.Floor(start-1), start), true
		}
	}
	return timeExpr{}, false
}

func between(since, until int64) timeExpr {
	return timeExpr{Span: Span{time.Unix(since, 0).UTC(), time.Unix(until, 0).UTC()}}
}

var back = lazyregexp.New(`^(?:last|past) (\d{1,4}) ?(h|hours?|d|days?|w|weeks?|m|months?|q|quarters?|y|years?)$`)

// readBack reads a span back from now, such as last 90d. Months, quarters and years are calendar units.
func readBack(text string, now time.Time) (timeExpr, bool) {
	m := back().FindStringSubmatch(text)
	if m == nil {
		return timeExpr{}, false
	}
	n, _ := strconv.Atoi(m[1])
	if n == 0 {
		return timeExpr{}, false
	}
	since := now
	switch m[2][0] {
	case 'h':
		since = now.Add(-time.Duration(n) * time.Hour)
	case 'd':
		since = now.AddDate(0, 0, -n)
	case 'w':
		since = now.AddDate(0, 0, -7*n)
	case 'm':
		since = monthsBefore(now, n)
	case 'q':
		since = monthsBefore(now, 3*n)
	case 'y':
		since = monthsBefore(now, 12*n)
	}
	return timeExpr{Span: Span{since, now}}, true
}

// monthsBefore returns the same day n months earlier, or the last day of that month where it is shorter: a month
// before March 31 begins in February.
func monthsBefore(t time.Time, n int) time.Time {
	before := t.AddDate(0, -n, 0)
	if before.Day() != t.Day() {
		before = before.AddDate(0, 0, -before.Day())
	}
	return before
}
