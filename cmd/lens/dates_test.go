package main

import (
	"testing"
	"time"

	"lens/retrieval"
)

func TestDates_Format(t *testing.T) {
	at := func(text string) time.Time {
		t.Helper()
		when, err := time.Parse("2006-01-02 15:04", text)
		if err != nil {
			t.Fatal(err)
		}
		return when
	}
	may, june, july := at("2024-05-01 00:00"), at("2024-06-01 00:00"), at("2024-07-01 00:00")
	for _, c := range []struct{ got, want string }{
		{date(at("2024-05-03 14:05").In(time.FixedZone("", 12*3600))), "2024-05-03"},
		{moment(at("2024-05-03 14:05")), "2024-05-03 14:05 UTC"},
		{day(nil), "undated   "},
		{day(&may), "2024-05-01"},
		{stretch("month", may, june), "in 2024-05"},
		{stretch("month", may, july), "from 2024-05 to 2024-06"},
		{stretch("half", at("2024-01-01 00:00"), july), "from 2024-01 to 2024-06"},
		{stretch("2y", at("2022-01-01 00:00"), at("2024-01-01 00:00")), "from 2022 to 2023"},
		{stretch("quarter", at("2024-04-01 00:00"), july), "in 2024-Q2"},
		{stretch("week", at("2024-05-06 00:00"), at("2024-05-13 00:00")), "in the week of 2024-05-06"},
		{stretch("week", at("2024-05-06 00:00"), at("2024-05-20 00:00")), "from 2024-05-06 to 2024-05-19"},
		{stretch("2w", at("2024-05-06 00:00"), at("2024-05-20 00:00")), "from 2024-05-06 to 2024-05-19"},
		{stretch("day", may, at("2024-05-02 00:00")), "on 2024-05-01"},
		{stretch("hour", at("2024-05-01 09:00"), at("2024-05-01 11:00")), "from 2024-05-01 09:00 UTC to 2024-05-01 11:00 UTC"},
		{stretch("fortnight", may, june), "from 2024-05-01 to 2024-05-31"},
		{by("month"), "by month"},
		{by("6h"), "by 6h (UTC)"},
		{windowName(retrieval.Window{Since: may, Until: june}), "2024-05-01 to 2024-05-31"},
		{windowName(retrieval.Window{Since: may, Until: at("2024-05-02 00:00")}), "2024-05-01"},
		{windowName(retrieval.Window{Since: may}), "since 2024-05-01"},
		{windowName(retrieval.Window{Until: june}), "up to 2024-05-31"},
		{windowName(retrieval.Window{}), "all time"},
		{span(90 * time.Minute), "90 minutes"},
		{span(47 * time.Hour), "47 hours"},
		{span(59 * 24 * time.Hour), "59 days"},
		{span(100 * 24 * time.Hour), "3 months"},
		{span(3 * 365 * 24 * time.Hour), "3.0 years"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestShares_Format(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{percent(0), "none"},
		{percent(0.0004), "under 0.1%"},
		{percent(0.05), "5%"},
		{percent(0.036), "3.6%"},
		{percent(0.261), "26%"},
		{percent(1), "100%"},
		{chance(0.0001), "p < 0.001"},
		{chance(0.0444), "p = 0.044"},
		{rounded1(2.06), "2.1"},
		{rounded1(41.7), "42"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}
