package theme_test

import (
	"testing"
	"time"

	"lens/tui/theme"
)

func at(t *testing.T, text string) time.Time {
	t.Helper()
	when, err := time.Parse("2006-01-02 15:04", text)
	if err != nil {
		t.Fatal(err)
	}
	return when
}

func TestDates_AsPeopleReadThem(t *testing.T) {
	second := at(t, "2024-06-02 09:05")
	for got, want := range map[string]string{
		theme.Day(second):       "2 Jun 2024",
		theme.DayColumn(second): " 2 Jun 2024",
		theme.Weekday(second):   "Sun 2 Jun 2024",
		theme.Month(second):     "Jun 2024",
		theme.LongMonth(second): "June 2024",
		theme.Year(second):      "2024",
		theme.Clock(second):     "09:05",
		theme.Moment(second):    "Sun 2 Jun 2024, 09:05 UTC",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if len(theme.DayColumn(second)) != len(theme.Undated) || len(theme.DayColumn(at(t, "2024-06-14 00:00"))) != len(theme.Undated) {
		t.Error("days are not of one width")
	}
}

func TestDates_SpansRepeatNothing(t *testing.T) {
	th := theme.New(theme.Dark, 0)
	for _, c := range []struct{ from, to, days, months, years string }{
		{"2024-05-06", "2024-05-06", "6 May 2024", "May 2024", "2024"},
		{"2024-05-06", "2024-05-12", "6–12 May 2024", "May 2024", "2024"},
		{"2024-04-29", "2024-05-05", "29 Apr – 5 May 2024", "Apr–May 2024", "2024"},
		{"2023-12-31", "2024-01-06", "31 Dec 2023 – 6 Jan 2024", "Dec 2023 – Jan 2024", "2023–2024"},
	} {
		from, to := at(t, c.from+" 00:00"), at(t, c.to+" 23:59")
		if got := th.Days(from, to); got != c.days {
			t.Errorf("days: got %q, want %q", got, c.days)
		}
		if got := th.Months(from, to); got != c.months {
			t.Errorf("months: got %q, want %q", got, c.months)
		}
		if got := th.Years(from, to); got != c.years {
			t.Errorf("years: got %q, want %q", got, c.years)
		}
	}
}
