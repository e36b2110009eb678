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
		"the last second before milliseconds": {"99999999999", "5138-11-16T09:46:39Z"},
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
	for _, s := range []string{"1686317999.717382", "1686317999717", "2023-06-09T13:39:59.7Z", "2023-06-09", "", "-1", "1e99", "0x1p30", "NaN"} {
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
