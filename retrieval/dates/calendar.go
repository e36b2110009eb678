package dates

import (
	"time"

	"lens/retrieval/timebin"
)

// tolerance is how many days before and after those that are named still count. A person comes back to what happened on
// a day, and tells of a month when it is over; a year is vague enough.
var tolerance = map[Kind]struct{ before, after int }{
	Day: {2, 14}, Week: {2, 14}, Holiday: {2, 14}, Month: {0, 14}, Quarter: {0, 14}, Season: {0, 14},
}

// soften returns the window of a span of a kind.
func soften(named timebin.Span, kind Kind) Window {
	by := tolerance[kind]
	return Window{
		Span:  timebin.Span{Since: named.Since.AddDate(0, 0, -by.before), Until: named.Until.AddDate(0, 0, by.after)},
		Named: named,
	}
}

// point is a date as it is named. Year 0 is none.
type point struct {
	kind      Kind
	year      int
	number    int  // of the month or the week from 1, of the quarter or the season from 0, or the holiday
	day       int  // of the month; of a week, any of its days, or 0 if number is that of the week
	bare      bool // a word alone, which needs a preposition
	languages language
}

// span returns the days of a point, in a year if it has none of its own.
func (p point) span(year int) timebin.Span {
	if p.year > 0 {
		year = p.year
	}
	switch p.kind {
	case Day:
		return dayOf(year, time.Month(p.number), p.day, 1)
	case Week:
		return p.week(year)
	case Month:
		return monthsOf(year, time.Month(p.number), 1)
	case Quarter:
		return monthsOf(year, time.Month(3*p.number+1), 3)
	case Season:
		return monthsOf(year, time.Month(3*p.number+3), 3)
	case Holiday:
		return holiday(p.number).span(year)
	}
	return monthsOf(year, 1, 12)
}

// week returns the week of a day, or that with a number: of a year without a week 53, the last one before.
func (p point) week(year int) timebin.Span {
	if p.day == 0 {
		for ; ; year-- {
			if week, ok := timebin.WeekOf(year, p.number); ok {
				return week
			}
		}
	}
	week := timebin.Bin{Unit: timebin.Week, N: 1}
	start := week.Floor(time.Date(year, time.Month(p.number), p.day, 0, 0, 0, 0, time.UTC).Unix())
	return timebin.Span{Since: time.Unix(start, 0).UTC(), Until: time.Unix(week.Next(start), 0).UTC()}
}

func dayOf(year int, month time.Month, day, n int) timebin.Span {
	since := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	return timebin.Span{Since: since, Until: since.AddDate(0, 0, n)}
}

func monthsOf(year int, month time.Month, n int) timebin.Span {
	since := time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
	return timebin.Span{Since: since, Until: since.AddDate(0, n, 0)}
}

func (h holiday) span(year int) timebin.Span {
	switch h {
	case christmas:
		return dayOf(year, time.December, 24, 3)
	case newYear:
		return dayOf(year-1, time.December, 31, 2)
	case newYearsEve:
		return dayOf(year, time.December, 31, 2)
	case easter:
		month, day := easterSunday(year)
		return dayOf(year, month, day-2, 4)
	case thanksgiving:
		first := time.Date(year, time.November, 1, 0, 0, 0, 0, time.UTC).Weekday()
		return dayOf(year, time.November, 22+int(time.Thursday-first+7)%7, 1)
	case halloween:
		return dayOf(year, time.October, 31, 1)
	}
	return dayOf(year, time.February, 14, 1)
}

// easterSunday is the anonymous Gregorian algorithm of 1876, with the month and the day that it gives.
func easterSunday(year int) (time.Month, int) {
	century, ofCentury, golden := year/100, year%100, year%19
	epact := (19*golden + century - century/4 - (century-(century+8)/25+1)/3 + 15) % 30
	weekday := (32 + 2*(century%4) + 2*(ofCentury/4) - epact - ofCentury%4) % 7
	late := (golden + 11*epact + 22*weekday) / 451
	n := epact + weekday - 7*late + 114
	return time.Month(n / 31), n%31 + 1
}

// isDate reports whether a month has a day, in the year or, without one, in a leap year.
func isDate(year, month, day int) bool {
	if year == 0 {
		year = 2000
	}
	t := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	return day >= 1 && month >= 1 && month <= 12 && t.Day() == day
}
