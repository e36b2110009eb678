package dates_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"lens/retrieval/dates"
)

// asked is a Wednesday.
var asked = time.Date(2024, time.May, 15, 13, 30, 0, 0, time.UTC)

// show prints what Find found in a text.
func show(text string, all []dates.Expression) string {
	var shown []string
	for _, e := range all {
		mark := ""
		if e.Relative {
			mark = "~"
		}
		if e.Yearly {
			mark += "*"
		}
		window := day(e.Window.Since) + ".." + day(e.Window.Until)
		shown = append(shown, fmt.Sprintf("%s|%s%s %s", text[e.From:e.To], e.Kind, mark, window))
	}
	return strings.Join(shown, " + ")
}

func day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.DateOnly)
}

func TestFind_Dates(t *testing.T) {
	for _, c := range found {
		if got := show(c.text, dates.Find(c.text, asked, asked)); got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

func TestFind_Words(t *testing.T) {
	for _, text := range words {
		if got := dates.Find(text, asked, asked); len(got) > 0 {
			t.Errorf("%q: got %q", text, show(text, got))
		}
	}
}

func TestReference_OldArchive(t *testing.T) {
	for _, c := range []struct {
		name string
		end  time.Time
		want time.Time
	}{
		{"no turns", time.Time{}, asked},
		{"turns of today", asked, asked},
		{"a season without turns", asked.AddDate(0, 0, -90), asked},
		{"an old archive", asked.AddDate(0, 0, -91), asked.AddDate(0, 0, -91)},
		{"turns of the future", asked.AddDate(1, 0, 0), asked},
	} {
		if got := dates.Reference(asked, c.end); !got.Equal(c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

func TestFind_RelativeToOldArchive(t *testing.T) {
	end := time.Date(2022, time.September, 3, 0, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"last summer":    "last summer|season~ 2022-06-01..2022-09-15",
		"two weeks ago":  "two weeks ago|week~ 2022-08-15..2022-09-07",
		"in summer 2023": "summer 2023|season 2023-06-01..2023-09-15",
		"taxes 2023":     "", // has not come yet
	} {
		if got := show(text, dates.Find(text, asked, end)); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestExpression_Windows(t *testing.T) {
	first, last := time.Date(2022, time.June, 10, 0, 0, 0, 0, time.UTC), time.Date(2024, time.April, 30, 0, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"in May":                   "2023-05-01..2023-06-15 2022-05-01..2022-06-15",
		"in January":               "2024-01-01..2024-02-15 2023-01-01..2023-02-15",
		"from November to January": "2023-11-01..2024-02-15 2022-11-01..2023-02-15",
		"at Easter":                "2024-03-27..2024-04-16 2023-04-05..2023-04-25",
		"from 5 to 9 May":          "2023-05-03..2023-05-24",
		"the week before 3 May":    "2024-04-24..2024-05-18 2023-04-24..2023-05-18",
		"in May 2023":              "2023-05-01..2023-06-15",
		"in May 2021":              "",
		"since 2023":               "2023-01-01..",
		"since 2025":               "",
		"before 2023":              "..2023-01-01",
		"before 2021":              "",
	} {
		all := dates.Find(text, asked, asked)
		if len(all) != 1 {
			t.Fatalf("%q: %d expressions", text, len(all))
		}
		var got []string
		for _, w := range all[0].Windows(first, last) {
			got = append([]string{day(w.Since) + ".." + day(w.Until)}, got...)
		}
		if got := strings.Join(got, " "); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestWindow_Weight(t *testing.T) {
	at := func(text string) time.Time {
		when, err := time.Parse("2006-01-02 15", text)
		if err != nil {
			t.Fatal(err)
		}
		return when
	}
	for _, c := range []struct {
		text, at string
		want     float64
	}{
		{"on 8 September 2023", "2023-09-05 23", 0},
		{"on 8 September 2023", "2023-09-06 00", 0},
		{"on 8 September 2023", "2023-09-07 00", .5},
		{"on 8 September 2023", "2023-09-08 00", 1},
		{"on 8 September 2023", "2023-09-08 23", 1},
		{"on 8 September 2023", "2023-09-16 00", .5},
		{"on 8 September 2023", "2023-09-23 00", 0},
		{"in 2023", "2022-12-31 23", 0},
		{"in 2023", "2023-01-01 00", 1},
		{"in 2023", "2023-12-31 23", 1},
		{"in 2023", "2024-01-01 00", 0},
		{"since 8 September 2023", "2023-09-07 00", .5},
		{"since 8 September 2023", "2030-09-07 00", 1},
		{"before 2023", "1999-09-07 00", 1},
	} {
		if got := dates.Find(c.text, asked, asked)[0].Window.Weight(at(c.at)); got != c.want {
			t.Errorf("%q at %s: %v, want %v", c.text, c.at, got, c.want)
		}
	}
}

func FuzzFind(f *testing.F) {
	for _, c := range found {
		f.Add(c.text, int64(1715779800), int64(0))
	}
	for _, text := range words {
		f.Add(text, int64(0), int64(1))
	}
	f.Fuzz(func(t *testing.T, text string, now, end int64) {
		const century = 100 * 365 * 24 * 3600
		at := func(seconds int64) time.Time { return time.Unix(seconds%(10*century), 0) }
		before := 0
		for _, e := range dates.Find(text, at(now), at(end)) {
			if e.From < before || e.To <= e.From || e.To > len(text) {
				t.Fatalf("%q: [%d, %d) after %d", text, e.From, e.To, before)
			}
			start, _ := utf8.DecodeRuneInString(text[e.From:])
			if !utf8.ValidString(text[e.From:e.To]) || start == utf8.RuneError {
				t.Fatalf("%q: %q is cut", text, text[e.From:e.To])
			}
			before = e.To
			w := e.Window
			if w.Since.IsZero() && w.Until.IsZero() || !w.Since.IsZero() && !w.Until.IsZero() && !w.Since.Before(w.Until) {
				t.Fatalf("%q: %v", text, w)
			}
			for _, w := range e.Windows(at(0), at(century)) {
				if !w.Since.IsZero() && !w.Until.IsZero() && !w.Since.Before(w.Until) {
					t.Fatalf("%q: %v", text, w)
				}
			}
		}
	})
}

func BenchmarkFind(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"question", "What kind of painting did Caroline share with Melanie on October 13, 2023?"},
		{"8KiB", strings.Repeat("the may 5 of march ", 430)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				dates.Find(c.text, asked, asked)
			}
		})
	}
}

// A time that is typed alone counts back from the end of an old archive, in figures as in words.
func TestSpan(t *testing.T) {
	now, end := time.Date(2026, 2, 28, 0, 0, 0, 0, time.UTC), time.Date(2023, 6, 9, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"last week":    "2023-05-29 2023-06-05",
		"laatste week": "2023-05-29 2023-06-05",
		"week 20":      "2023-05-15 2023-05-22",
		"last 90d":     "2023-03-11 2023-06-09",
		"april":        "2023-04-01 2023-05-01",
		"in september": "2022-09-01 2022-10-01", // not that which the archive does not reach
		"2026-01":      "2026-01-01 2026-02-01",

		"de week van 15 mei":                  "2023-05-15 2023-05-22",
		"what did I do last week?":            "2023-05-29 2023-06-05",
		"What did we talk about in May 2023?": "2023-05-01 2023-06-01",
		"what have I asked on 3 May 2023":     "2023-05-03 2023-05-04",
	} {
		got, err := dates.Span(text, now, end)
		if says := got.Since.Format(time.DateOnly) + " " + got.Until.Format(time.DateOnly); err != nil || says != want {
			t.Errorf("%q: got %s, %v; want %s", text, says, err, want)
		}
	}
	for _, text := range []string{"whenever", "what did I say about May", "bread in May"} {
		if got, err := dates.Span(text, now, end); err == nil {
			t.Errorf("%q is a time: %v", text, got)
		}
	}
}

// The turn from which a time counts back is in that time.
func TestSpan_HasLastTurn(t *testing.T) {
	now, end := time.Date(2026, 2, 28, 0, 0, 0, 0, time.UTC), time.Date(2023, 6, 9, 12, 0, 5, 250_000_000, time.UTC)
	for _, text := range []string{"last 90d", "past 6 hours", "2023-05..last 2w", "last few weeks", "today"} {
		got, err := dates.Span(text, now, end)
		if second := end.Unix(); err != nil || got.Since.Unix() > second || got.Until.Unix() <= second {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
}

// A turn at midnight is in no day or week that ends there.
func TestSpan_LastTurnAtMidnight(t *testing.T) {
	now, end := time.Date(2026, 2, 28, 0, 0, 0, 0, time.UTC), time.Date(2023, 10, 16, 0, 0, 0, 0, time.UTC)
	for text, has := range map[string]bool{
		"yesterday": false, "2023-10-15": false, "last week": false, "..2023-10-15": false, "today": true, "last 90d": true,
	} {
		if got, err := dates.Span(text, now, end); err != nil || got.Until.After(end) != has {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
}

func TestOnly(t *testing.T) {
	now, end := time.Date(2026, 2, 28, 0, 0, 0, 0, time.UTC), time.Date(2023, 6, 9, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"week 20":              "2023-05-15 2023-05-22",
		"in week 20":           "2023-05-15 2023-05-22",
		"week 40":              "2022-10-03 2022-10-10", // not that which the archive does not reach
		"week 53":              "2020-12-28 2021-01-04", // the last that there was
		"in week 53":           "2020-12-28 2021-01-04",
		"2021-W53":             "",
		"week 53 of 2021":      "",
		"2023-W20":             "2023-05-15 2023-05-22",
		"last 90d":             "2023-03-11 2023-06-09 ~",
		"last 2 weeks":         "2023-05-26 2023-06-09 ~", // to the second
		"2023-04..2023-05":     "2023-04-01 2023-06-01",
		"2023..":               "2023-01-01 0001-01-01",
		"2023-04-03..":         "2023-04-03 0001-01-01",
		"yesterday..":          "2023-06-08 0001-01-01 ~",
		"2023-05..yesterday":   "2023-05-01 2023-06-09 ~",
		"..May 2023":           "",
		"May 2023..":           "",
		"<= May 2022":          "",
		"since = May 2022":     "",
		"2023":                 "2023-01-01 2024-01-01",
		"april":                "2023-04-01 2023-05-01",
		"14 apr":               "2023-04-14 2023-04-15", // as the chart writes it
		"Apr 14":               "2023-04-14 2023-04-15",
		"4 may":                "2023-05-04 2023-05-05",
		"jan":                  "", // a name
		"14 apr docker":        "",
		"the week of 15 May":   "2023-05-15 2023-05-22",
		"de week van 15 mei":   "2023-05-15 2023-05-22",
		"in de zomer":          "2023-06-01 2023-09-01",
		"yesterday":            "2023-06-08 2023-06-09 ~",
		"la semaine dernière":  "2023-05-29 2023-06-05 ~",
		"week 20 pregnancy":    "",
		"week 20 of pregnancy": "",
		"early April":          "2023-04-01 2023-04-11",
		"mid april":            "2023-04-11 2023-04-21",
		"in mid-April 2022":    "2022-04-11 2022-04-21",
		"Ende Februar":         "2023-02-21 2023-03-01",
		"since mid april":      "2023-04-11 0001-01-01",
		"mi mayo":              "", // my, in Spanish
		"late bread":           "",
		"in apr":               "2023-04-01 2023-05-01",
		"en ene":               "2023-01-01 2023-02-01",
		"apr":                  "",
		"in mar abierto":       "",
		"friday 14 april":      "2023-04-14 2023-04-15",
		"Friday, April 14":     "2023-04-14 2023-04-15",
		"friday 15 april":      "2022-04-15 2022-04-16", // that of 2023 was a Saturday
		"saturday 29 february": "2020-02-29 2020-03-01",
		"friday 14 april 2021": "2021-04-14 2021-04-15",
		"Freitag, den 14. Apr": "2023-04-14 2023-04-15",
		"on friday":            "2023-06-02 2023-06-03 ~", // not the last turn's, which is today
		"on thursday":          "2023-06-08 2023-06-09 ~",
		"am Montag":            "2023-06-05 2023-06-06 ~",
		"since monday":         "2023-06-05 0001-01-01 ~",
		"friday":               "",
		"on friday nights":     "",
		"on fridays":           "",
		"docker in april":      "",
		"0404":                 "",
		"last time":            "",

		"what did I do last week?":        "2023-05-29 2023-06-05 ~",
		"what did I talk about in May":    "2023-05-01 2023-06-01",
		"what did I do on Friday?":        "2023-06-02 2023-06-03 ~",
		"what happened in apr":            "2023-04-01 2023-05-01",
		"What was I doing last summer?":   "2022-06-01 2022-09-01 ~",
		"what did I ask in week 20":       "2023-05-15 2023-05-22",
		"what happened on 14 April 2023?": "2023-04-14 2023-04-15",
		"wat heb ik vorige week gedaan?":  "2023-05-29 2023-06-05 ~",
		"waar had ik het in mei over":     "2023-05-01 2023-06-01",
		"was habe ich im Mai gemacht?":    "2023-05-01 2023-06-01",
		"qu'ai-je fait en mai":            "2023-05-01 2023-06-01",
		"de quoi ai-je parlé en mai ?":    "2023-05-01 2023-06-01",
		"¿qué hice la semana pasada?":     "2023-05-29 2023-06-05 ~",
		"what did I talk about last week": "2023-05-29 2023-06-05 ~",
		"what did I cook last week":       "",
		"I was in Paris last week":        "",
		"what did I do":                   "",
	} {
		got := ""
		if named, ok := dates.Only(text, now, end); ok {
			got = named.Since.Format(time.DateOnly) + " " + named.Until.Format(time.DateOnly)
			if named.Relative {
				got += " ~"
			}
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// The query bar asks Only, and t and about ask Span.
func TestOnly_AgreesWithSpan(t *testing.T) {
	texts := strings.Split("2024,2024..,..2024,2024-05,2024-05..,2024-05-03..,yesterday..,2024-05..yesterday,2024-W20,"+
		"2021-W53,week 1,week 20,week 52,week 53,in week 53,semaine 53,week 20 of 2023,week 53 of 2021,"+
		"from week 50 to week 53,from week 50 to week 53 of 2020,last week,last 90d,last 6h,last 3 months,last 2 weeks,"+
		"past 3 days,the last 3 weeks,laatste week,today,this month,may,May 2023,in May,..May 2023,May 2023..,"+
		"<= May 2022,> 2022,summer,last summer,the week of 15 May,what did I do last week?,what did I do in week 1,"+
		"since May 2023,before 2022,docker,docker in May,week 20 pregnancy,friday,on friday,friday 14 april,mid april,apr,in apr", ",")
	for _, now := range []time.Time{
		time.Date(2023, 6, 9, 12, 0, 0, 0, time.UTC), time.Date(2024, 12, 31, 12, 0, 0, 0, time.UTC),
		time.Date(2026, 2, 28, 12, 0, 0, 0, time.UTC),
	} {
		for _, text := range texts {
			only, ok := dates.Only(text, now, now)
			span, err := dates.Span(text, now, now)
			if ok != (err == nil) || ok && only != span {
				t.Errorf("%q at %s: %v and %v, %v", text, day(now), only, span, err)
			}
		}
	}
}

func TestOnly_LatestWeek(t *testing.T) {
	for _, c := range []struct{ text, now, want string }{
		{"week 1", "2024-12-31", "2024-12-30 2025-01-06"}, // of the year that begins in it
		{"in week 1", "2024-12-31", "2024-12-30 2025-01-06"},
		{"week 53", "2026-12-27", "2020-12-28 2021-01-04"},
		{"in week 53", "2026-12-27", "2020-12-28 2021-01-04"},
		{"from week 50 to week 53", "2026-12-01", "2020-12-07 2021-01-04"},
		{"week 53", "1903-01-01", "1896-12-28 1897-01-04"}, // seven years before
	} {
		now, err := time.Parse(time.DateOnly, c.now)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := dates.Only(c.text, now, now)
		if says := day(got.Since) + " " + day(got.Until); !ok || says != c.want {
			t.Errorf("%q on %s: %q, want %q", c.text, c.now, says, c.want)
		}
	}
}
