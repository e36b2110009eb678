package chat

import (
	"testing"
	"time"
)

func TestTime(t *testing.T) {
	const moment = "2023-06-09T13:39:59.717382Z"
	for name, c := range map[string]struct{ in, want string }{
		"seconds with a fraction":             {"1686317999.717382", moment},
		"seconds in exponent form":            {"1.686317999717382e9", moment},
		"whole seconds":                       {"1686317999", "2023-06-09T13:39:59Z"},
		"milliseconds":                        {"1686317999717", "2023-06-09T13:39:59.717Z"},
		"microseconds":                        {"1686317999717382", moment},
		"nanoseconds":                         {"1686317999717382000", moment},
		"ISO":                                 {moment, moment},
		"ISO with an offset":                  {"2023-06-09T15:39:59.717382+02:00", moment},
		"ISO without a zone is UTC":           {"2023-06-09T13:39:59.717382", moment},
		"a space for the T":                   {"2023-06-09 13:39:59.717382", moment},
		"a date":                              {"2023-06-09", "2023-06-09T00:00:00Z"},
		"nanoseconds are rounded":             {"2023-06-09T13:39:59.7173824Z", moment},
		"zero is unknown":                     {"0", ""},
		"minus one is unknown":                {"-1", ""},
		"hours around 1970 are unknown":       {"1969-12-31T12:00:00Z", ""},
		"before 1970 is a time":               {"-864000.5", "1969-12-21T23:59:59.5Z"},
		"before 1900 is unknown":              {"1899-12-31T00:00:00Z", ""},
		"nothing":                             {"", ""},
		"words":                               {"yesterday", ""},
		"not a number":                        {"NaN", ""},
		"infinity":                            {"1e400", ""},
		"a number out of range":               {"9e18", "2255-03-14T16:00:00Z"},
		"the last second before milliseconds": {"253402300799", "9999-12-31T23:59:59Z"},
		"the year 9999 in seconds":            {"253370764800", "9999-01-01T00:00:00Z"},
		"the first milliseconds":              {"253402300800", "1978-01-11T21:31:40.8Z"},
		"the year 5138 in seconds":            {"1e11", "5138-11-16T09:46:40Z"},
		"UTC by name":                         {"2025-03-04 05:06:07 UTC", "2025-03-04T05:06:07Z"},
		"a fraction, UTC by name":             {"2025-03-04 05:06:07.123456 UTC", "2025-03-04T05:06:07.123456Z"},
		"as Go prints it":                     {"2025-03-04 05:06:07 +0000 UTC", "2025-03-04T05:06:07Z"},
		"a space before the offset":           {"2025-03-04 05:06:07 +0100", "2025-03-04T04:06:07Z"},
		"an offset of hours, as Postgres":     {"2025-03-04 05:06:07.5+01", "2025-03-04T04:06:07.5Z"},
		"an offset without a colon":           {"2025-03-04T05:06:07-0130", "2025-03-04T06:36:07Z"},
		"no seconds":                          {"2025-03-04 05:06", "2025-03-04T05:06:00Z"},
		"no seconds, in UTC":                  {"2025-03-04T05:06Z", "2025-03-04T05:06:00Z"},
		"ISO without separators":              {"20250304T050607Z", "2025-03-04T05:06:07Z"},
		"of mail":                             {"Tue, 04 Mar 2025 05:06:07 GMT", "2025-03-04T05:06:07Z"},
		"of mail, with an offset":             {"Tue, 4 Mar 2025 05:06:07 +0100", "2025-03-04T04:06:07Z"},
		"of Copilot":                          {"3/4/2025 5:06:07 +01:00", "2025-03-04T04:06:07Z"},
		"no such month":                       {"2025-13-04 05:06:07 UTC", ""},
		"more than a time":                    {"2025-03-04 05:06:07 UTC or so", ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := ""
			if moment := Time(c.in); !moment.IsZero() {
				got = moment.Format(time.RFC3339Nano)
			}
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func FuzzTime(f *testing.F) {
	for _, s := range []string{
		"1686317999.717382", "1686317999717", "2023-06-09T13:39:59.7Z", "2023-06-09", "", "-1", "1e99", "0x1p30", "NaN",
		"2025-03-04 05:06 +0000 UTC", "Tue, 04 Mar 2025 05:06:07 GMT", "3/4/2025 5:06:07 +01:00", "20250304T050607Z",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Time(s)
		if got.IsZero() {
			return
		}
		if got.Year() < 1900 || got.Year() > 9999 || got.Location() != time.UTC || got.Nanosecond()%1000 != 0 {
			t.Errorf("%q returned %v", s, got)
		}
		if again := Time(got.Format(time.RFC3339Nano)); !again.Equal(got) {
			t.Errorf("%v read back as %v", got, again)
		}
	})
}
