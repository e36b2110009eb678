package chat

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// Thresholds from which a number counts as milliseconds, microseconds and nanoseconds since 1970. As seconds, 1e11
// would be in the year 5138.
const (
	fromMillis = 1e11
	fromMicros = 1e14
	fromNanos  = 1e17
)

const day = 24 * 60 * 60

// layouts are the textual times in exports. Those without a zone are UTC.
var layouts = []string{
	time.RFC3339Nano,
	"2006-01-02T15:04:05.999999999Z0700",
	"2006-01-02T15:04:05.999999999",
	"2006-01-02 15:04:05.999999999Z07:00",
	"2006-01-02 15:04:05.999999999",
	time.DateOnly,
}

// Time parses a time as exports write it: seconds since 1970 with a fraction, milliseconds or finer units (recognized
// by their magnitude), or ISO 8601. The result is in UTC and whole microseconds. Anything else gives the zero Time, and
// so do times within a day of the start of 1970: 0 and -1 mean that the time is missing.
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

// plausible returns t in UTC, or the zero Time when t is near 1970 or outside the years 1900 to 9999.
func plausible(t time.Time) time.Time {
	if t = t.UTC(); t.Unix() < day && t.Unix() > -day || t.Year() < 1900 || t.Year() > 9999 {
		return time.Time{}
	}
	return t
}
