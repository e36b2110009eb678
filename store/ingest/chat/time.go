package chat

import (
	"cmp"
	"math"
	"strconv"
	"strings"
	"time"

	"lens/internal/lazyregexp"
)

// Thresholds from which a number counts as milliseconds, microseconds and nanoseconds since 1970: in the coarser unit,
// it would be after the year 9999. So no time before 1978 can be read in milliseconds; chats are younger.
const (
	fromMillis = 253_402_300_800
	fromMicros = fromMillis * 1e3
	fromNanos  = fromMicros * 1e3
)

const day = 24 * 60 * 60

// maxTime bounds a time's text, in bytes.
const maxTime = 64

// dateAndClock matches a date, a time of day and a zone: "2025-03-04 05:06:07.5 +0100", "2025-03-04 05:06 UTC".
var dateAndClock = lazyregexp.New(
	`^(.*\d)[ T]+(\d{1,2}:\d{2})(:\d{2}(?:[.,]\d+)?)? ?(?:Z|([+-]\d{2}):?(\d{2})?)?(?: ?(?:UTC|GMT))?$`)

// layouts are the times in exports, as iso writes them. Copilot's table has the month first; mail has names.
var layouts = []string{
	"2006-01-02T15:04:05Z07:00",
	"1/2/2006T15:04:05Z07:00",
	"Mon, 2 Jan 2006T15:04:05Z07:00",
	"2 Jan 2006T15:04:05Z07:00",
	time.DateOnly,
	"20060102T150405Z07:00",
	"20060102T150405Z0700",
	"20060102T150405",
}

// Time parses a time as exports write it: seconds since 1970 with a fraction, milliseconds or finer units (recognized
// by their magnitude), or a date with or without a time of day and a zone, as in ISO 8601, mail and most programs. One
// without a zone is in UTC. The result is in UTC and whole microseconds. Anything else gives the zero Time, and so do
// times within a day of the start of 1970: 0 and -1 mean that the time is missing.
func Time(s string) time.Time {
	s = strings.TrimSpace(s)
	if n, err := strconv.ParseFloat(s, 64); err == nil {
		return fromNumber(n)
	}
	if t, err := time.Parse(time.RFC3339Nano, s); err == nil { // nearly all
		return plausible(t.Round(time.Microsecond))
	}
	s = iso(s)
	for _, layout := range layouts {
		if t, err := time.Parse(layout, s); err == nil {
			return plausible(t.Round(time.Microsecond))
		}
	}
	return time.Time{}
}

// iso rewrites the time of day and the zone behind a date as ISO 8601 has them: with a T, seconds and minutes.
func iso(s string) string {
	if len(s) > maxTime {
		return ""
	}
	m := dateAndClock().FindStringSubmatch(s)
	if m == nil {
		return s
	}
	date, clock, seconds, hours, minutes := m[1], m[2], cmp.Or(m[3], ":00"), m[4], cmp.Or(m[5], "00")
	if hours == "" {
		return date + "T" + clock + seconds + "Z"
	}
	return date + "T" + clock + seconds + hours + ":" + minutes
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
