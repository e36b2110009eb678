package timebin

import (
	"errors"
	"testing"
	"time"

	"lens/internal/errs"
)

var now = time.Date(2024, 5, 8, 15, 30, 0, 0, time.UTC) // a Wednesday

func TestParseSpan(t *testing.T) {
	for _, c := range []struct{ text, since, until string }{
		{"2024", "2024-01-01 00:00:00", "2025-01-01 00:00:00"},
		{"2024-05", "2024-05-01 00:00:00", "2024-06-01 00:00:00"},
		{"2024-5-3", "2024-05-03 00:00:00", "2024-05-04 00:00:00"},
		{"2024-02-29", "2024-02-29 00:00:00", "2024-03-01 00:00:00"},
		{"2024-Q4", "2024-10-01 00:00:00", "2025-01-01 00:00:00"},
		{"2024q1", "2024-01-01 00:00:00", "2024-04-01 00:00:00"},
		{"2024-W01", "2024-01-01 00:00:00", "2024-01-08 00:00:00"},
		{"2023-w20", "2023-05-15 00:00:00", "2023-05-22 00:00:00"},
		{"2020W53", "2020-12-28 00:00:00", "2021-01-04 00:00:00"},
		{"2026-W01", "2025-12-29 00:00:00", "2026-01-05 00:00:00"},
		{"2024-05-03 14:05", "2024-05-03 14:05:00", "2024-05-03 14:06:00"},
		{"2024-05-03T14:05:06Z", "2024-05-03 14:05:06", "2024-05-03 14:05:07"},
		{"2024-05-03t14:05:06+02:00", "2024-05-03 12:05:06", "2024-05-03 12:05:07"},
		{"today", "2024-05-08 00:00:00", "2024-05-09 00:00:00"},
		{" Yesterday ", "2024-05-07 00:00:00", "2024-05-08 00:00:00"},
		{"this week", "2024-05-06 00:00:00", "2024-05-13 00:00:00"},
		{"last  week", "2024-04-29 00:00:00", "2024-05-06 00:00:00"},
		{"last month", "2024-04-01 00:00:00", "2024-05-01 00:00:00"},
		{"previous year", "2023-01-01 00:00:00", "2024-01-01 00:00:00"},
		{"last 90d", "2024-02-08 15:30:00", "2024-05-08 15:30:00"},
		{"past 6 hours", "2024-05-08 09:30:00", "2024-05-08 15:30:00"},
		{"last 2w", "2024-04-24 15:30:00", "2024-05-08 15:30:00"},
		{"last 3 months", "2024-02-08 15:30:00", "2024-05-08 15:30:00"},
		{"last 1y", "2023-05-08 15:30:00", "2024-05-08 15:30:00"},
		{"2024-05..2024-06", "2024-05-01 00:00:00", "2024-07-01 00:00:00"},
		{"2023 .. yesterday", "2023-01-01 00:00:00", "2024-05-08 00:00:00"},
		{"2024-05-03T14:00:00Z..2024-05-03T15:00:00Z", "2024-05-03 14:00:00", "2024-05-03 15:00:00"},
		{"2024..", "2024-01-01 00:00:00", ""},
		{"..2024", "", "2025-01-01 00:00:00"},
		{"0001-01-01", "", "0001-01-02 00:00:00"},
		{"0001-01-01T00:00:00Z", "", "0001-01-01 00:00:01"},
		{"0001..2024", "", "2025-01-01 00:00:00"},
		{"9999-12-31", "9999-12-31 00:00:00", ""},
		{"9999-12-31T23:59:59Z", "9999-12-31 23:59:59", ""},
		{"2024..9999", "2024-01-01 00:00:00", ""},
		{"0001-01-01..9999-12-31", "", ""},
	} {
		span, err := ParseSpan(c.text, now)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if show(span.Since) != c.since || show(span.Until) != c.until {
			t.Errorf("%q: got %q to %q", c.text, show(span.Since), show(span.Until))
		}
	}
}

func show(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format("2006-01-02 15:04:05")
}

func TestParseSpan_ShorterMonth(t *testing.T) {
	for _, c := range []struct{ now, text, since string }{
		{"2024-03-31 12:00:00", "last 1 month", "2024-02-29 12:00:00"},
		{"2023-03-31 12:00:00", "last 1 month", "2023-02-28 12:00:00"},
		{"2024-05-31 12:00:00", "last 2q", "2023-11-30 12:00:00"},
		{"2024-02-29 12:00:00", "last 1y", "2023-02-28 12:00:00"},
		{"2024-03-30 12:00:00", "last 2 months", "2024-01-30 12:00:00"},
	} {
		now, err := time.Parse(time.DateTime, c.now)
		if err != nil {
			t.Fatal(err)
		}
		if span, err := ParseSpan(c.text, now); err != nil || show(span.Since) != c.since || span.Until != now {
			t.Errorf("%s on %s: got %q, %v", c.text, c.now, show(span.Since), err)
		}
	}
}

func TestParseSpan_Invalid(t *testing.T) {
	for _, text := range []string{
		"", "..", "soon", "2024-13", "2023-02-29", "24-05-03", "last 0d", "last -3d", "last 99999d", "2024-06..2024-05", "2024-05..nope",
		"nope..2024", "2024..2025..2026", "2024-05-03T25:00:00Z", "2024-Q5", "2024-W00", "2024-W53", "this fortnight",
		"0000", "..0000", "0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00", "last 9999y", "..0001-01-01T00:00:00Z",
		"2024..0001-01-01 00:00",
	} {
		span, err := ParseSpan(text, now)
		var e *errs.Error
		if !errors.As(err, &e) || e.Hint == "" || e.Code != errs.Invalid {
			t.Errorf("%q: got %v, %v", text, span, err)
		}
	}
}

func TestParseUntil(t *testing.T) {
	for text, want := range map[string]string{
		"2024-05": "2024-06-01 00:00:00", "yesterday": "2024-05-08 00:00:00", "2024-05-03 14:05": "2024-05-03 14:05:00",
		"2024-05-03T14:05:06Z": "2024-05-03 14:05:06", "last 90d": "2024-05-08 15:30:00",
		"9999-12-30T00:00:00Z": "9999-12-30 00:00:00", "9999-12-31T00:00:00Z": "", "9999-12-31T23:59:59.9999999Z": "", "9999": "",
	} {
		if got, err := ParseUntil(text, now); err != nil || show(got) != want {
			t.Errorf("until %q: %v, %v", text, got, err)
		}
	}
	if got, err := ParseSince("2024-05", now); err != nil || show(got) != "2024-05-01 00:00:00" {
		t.Errorf("since: %v, %v", got, err)
	}
}

func TestParseClosedSpan(t *testing.T) {
	for text, want := range map[string]string{
		"2024-05":                             "2024-05-01T00:00:00Z 2024-06-01T00:00:00Z",
		"2024":                                "2024-01-01T00:00:00Z 2025-01-01T00:00:00Z",
		"2024-05-03":                          "2024-05-03T00:00:00Z 2024-05-04T00:00:00Z",
		"yesterday":                           "2024-05-07T00:00:00Z 2024-05-08T00:00:00Z",
		"last 90d":                            "2024-02-08T15:30:00Z 2024-05-08T15:30:00Z",
		"2024-05-03 14:05":                    "2024-05-03T14:05:00Z 2024-05-03T14:05:00.000001Z",
		"2024-05-03T14:05:06+02:00":           "2024-05-03T12:05:06Z 2024-05-03T12:05:06.000001Z",
		"2024-05-03T14:05:06.1234567Z":        "2024-05-03T14:05:06.1234567Z 2024-05-03T14:05:06.123457Z",
		"2024-05..2024-05-31T23:00:00Z":       "2024-05-01T00:00:00Z 2024-05-31T23:00:00.000001Z",
		"2024-05-03T14:00..2024-05-03T14:00Z": "",
		"2024-05-03T14:00..2024-05-03T14:00":  "2024-05-03T14:00:00Z 2024-05-03T14:00:00.000001Z",
		"9999-12-31T23:59:59Z":                "9999-12-31T23:59:59Z 0001-01-01T00:00:00Z",
		"2024-06..2024-05":                    "",
		"soon":                                "",
	} {
		span, err := ParseClosedSpan(text, now)
		got := ""
		if err == nil {
			got = span.Since.Format(time.RFC3339Nano) + " " + span.Until.Format(time.RFC3339Nano)
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func FuzzParseSpan(f *testing.F) {
	for _, seed := range []string{"2024", "2024-05-03T14:00:00+14:00", "last 90d", "0000..9999", "today..", "..", "last 9999y", "0000", "0001..9999", "9999-12-31T23:59:59.999999999Z", "9999-12-31T23:59"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		span, err := ParseSpan(s, now)
		closed, alsoFails := ParseClosedSpan(s, now)
		if err != nil {
			return
		}
		if alsoFails != nil || closed.Since != span.Since || closed.Until.IsZero() && !span.Until.IsZero() {
			t.Fatalf("%q is %v, closed %v (%v)", s, span, closed, alsoFails)
		}
		if !span.Since.IsZero() && !span.Until.IsZero() && !span.Since.Before(span.Until) {
			t.Fatalf("%q is empty: %v", s, span)
		}
		if span.Since.Location() != time.UTC || span.Until.Location() != time.UTC {
			t.Fatalf("%q is not in UTC: %v", s, span)
		}
	})
}
