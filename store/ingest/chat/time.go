package chat

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// Seconds since 1970 from which on a number cannot be meant as seconds, because that would be the year 5138 or later.
const (
	fromMillis = 1e11
	fromMicros = 1e14
	fromNanos  = 1e17
)

const day = 24 * 60 * 60

// layouts are the textual times that exports hold, those without a zone taken as UTC.
var layouts = []string{
	time.RFC3339Nano,
	"2006-01-02T15:04:05.999999999",
	"2006-01-02 15:04:05.999999999Z07:00",
	"2006-01-02 15:04:05.999999999",
	time.DateOnly,
}

// Time reads a time as exports write them: seconds since 1970 with a fraction, milliseconds (or finer, told by magnitude),
// or ISO 8601 text. The result is UTC in whole microseconds. Whatever is no such time gives the zero Time, and so
// does what lies within a day of the beginning of 1970, where 0 and -1 mean missing: unknown is better than 1970.
func Time(s string) time.Time {
	s = strings.TrimSpace(s)
	if n, err := strconv.ParseFloat(s, 64); err == nil {
		return fromNumber(n)
	}
	for _, layout := range layouts {
		if t, err := time.Parse(layout, s); err == nil {
			return plausible(t.Round(time.Microsecond))
		}
	}
	return time.Time{}
}

func fromNumber(n float64) time.Time {
	switch {
	case math.IsNaN(n) || n == 0 || math.Abs(n) > math.MaxInt64:
		return time.Time{}
	case n >= fromNanos:
		n /= 1e3
	case n >= fromMicros:
	case n >= fromMillis:
		n *= 1e3
	default:
		n *= 1e6
	}
	return plausible(time.UnixMicro(int64(math.Round(n))))
}

// plausible lets through what databases can hold and a person can have lived.
func plausible(t time.Time) time.Time {
	if t = t.UTC(); t.Unix() < day && t.Unix() > -day || t.Year() < 1900 || t.Year() > 9999 {
		return time.Time{}
	}
	return t
}
