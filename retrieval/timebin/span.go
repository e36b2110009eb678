package timebin

import (
	"strings"
	"time"

	"lens/internal/errs"
)

// Span is the half-open span [Since, Until) in UTC. A zero end is open: the year 1 has no start and the year 9999 no
// end.
type Span struct{ Since, Until time.Time }

// ParseSpan reads a span of time as people type it. Relative times count back from now; all days are UTC days.
//
//	2024   2024-Q2   2024-05   2024-05-03   2024-05-03 14:00   2024-05-03T14:00:00Z   (that year, quarter, …, second)
//	2024-W20   (a week of ISO 8601)
//	today   yesterday   this week   last month   (a week begins on Monday)
//	last 90d   last 6h   last 2w   last 3 months   last 1y   (the time up to now)
//	A..B   A..   ..B   (from the beginning of A to the end of B; a time of day ends where it begins)
//
// Case and spaces around do not matter. The error is an invalid *errs.Error.
func ParseSpan(s string, now time.Time) (Span, error) {
	if from, to, ranged := strings.Cut(s, ".."); ranged {
		return parseRange(from, to, now, ParseUntil)
	}
	expr, err := parseTimeExpr(s, now)
	return expr.Span, err
}

// ParseClosedSpan is ParseSpan where both ends belong to the span: a time of day at its end lies inside, as the last
// microsecond. The result is half-open nevertheless.
func ParseClosedSpan(s string, now time.Time) (Span, error) {
	if from, to, ranged := strings.Cut(s, ".."); ranged {
		return parseRange(from, to, now, parseThrough)
	}
	expr, err := parseTimeExpr(s, now)
	return expr.closed(), err
}

// parseRange reads a range whose upper end is read by parseEnd. Either end may be empty.
func parseRange(from, to string, now time.Time, parseEnd func(string, time.Time) (time.Time, error)) (Span, error) {
	var span Span
	var err error
	if strings.TrimSpace(from) != "" {
		if span.Since, err = ParseSince(from, now); err != nil {
			return Span{}, err
		}
	}
	if strings.TrimSpace(to) != "" {
		if span.Until, err = parseEnd(to, now); err != nil {
			return Span{}, err
		}
	}
	if strings.TrimSpace(from+to) == "" {
		return Span{}, timeError("a range without an end")
	}
	if !span.Since.IsZero() && !span.Until.IsZero() && !span.Since.Before(span.Until) {
		return Span{}, timeError("a range that ends before it begins")
	}
	return span, nil
}

// ParseSince reads a lower bound: the start of s, which is one of ParseSpan's forms but not a range.
func ParseSince(s string, now time.Time) (time.Time, error) {
	expr, err := parseTimeExpr(s, now)
	return expr.Since, err
}

// ParseUntil reads an upper, exclusive bound: the end of s, so that "until 2024-05" includes May; a time of day is
// itself the bound. s is one of ParseSpan's forms but not a range.
func ParseUntil(s string, now time.Time) (time.Time, error) {
	expr, err := parseTimeExpr(s, now)
	switch {
	case err != nil:
		return time.Time{}, err
	case !expr.instant || expr.Until.IsZero():
		return expr.Until, nil
	case expr.Since.IsZero(): // would be an open end
		return time.Time{}, timeError("a range that ends before the year 1")
	}
	return expr.Since, nil
}

// parseThrough reads an upper, inclusive bound and returns where it ends.
func parseThrough(s string, now time.Time) (time.Time, error) {
	expr, err := parseTimeExpr(s, now)
	return expr.closed().Until, err
}

func timeError(message string) error {
	return &errs.Error{
		Code:    errs.Invalid,
		Op:      "timebin: parse time",
		Message: message,
		Hint: "use 2024, 2024-05, 2024-05-03, 2024-05-03T14:00:00Z, today, yesterday, last 90d, " +
			"or a range such as 2024-05..2024-06",
	}
}
