package histogram

import (
	"fmt"
	"time"

	"lens/retrieval/timebin"
	"lens/tui/theme"
)

// Words describes bin i: "May 2024: 19 matches of 51 turns", "May 2024, in part: 3 matches".
func (c Chart) Words(i int, th theme.Theme) string {
	if i < 0 || i >= len(c.Bins) {
		return ""
	}
	b := c.Bins[i]
	name := binName(c.Unit, b.Start, b.End, th) + c.zone()
	if b.Partial {
		name += ", in part"
	}
	words := name + ": "
	if !c.Baselined || b.Baseline == 0 {
		words += Count(b.Count, c.Noun)
	} else {
		words += CountOf(b.Count, c.Noun, b.Baseline)
		if c.Share {
			words += " (" + theme.Percent(c.Height(b)) + ")"
		}
	}
	return words
}

// BrushWords describes the brush, "" for none: "May–Jul 2024: 40 matches".
func (c Chart) BrushWords(th theme.Theme) string {
	if c.Brush[0] >= c.Brush[1] || c.Brush[1] > len(c.Bins) {
		return ""
	}
	bins, noun, n := c.Bins[c.Brush[0]:c.Brush[1]], c.Noun, 0
	for i, b := range bins {
		if c.Matches != nil {
			noun, b.Count = "matches", c.Matches[c.Brush[0]+i]
		}
		n += b.Count
	}
	from, to := bins[0], bins[len(bins)-1]
	name := Crumb(from.Start, to.End, th)
	if len(bins) == 1 {
		name = binName(c.Unit, from.Start, from.End, th)
	}
	return name + c.zone() + ": " + Count(n, noun)
}

// zone returns " UTC" for bins of hours when other times on the screen are local.
func (c Chart) zone() string {
	if c.Zoned && c.Unit.Unit <= timebin.Hour {
		return " UTC"
	}
	return ""
}

// Count writes a number of something that is named in the plural: "1 match".
func Count(n int, noun string) string {
	if n == 1 {
		switch noun {
		case "matches":
			noun = "match"
		case "turns":
			noun = "turn"
		case "occurrences":
			noun = "occurrence"
		}
	}
	return theme.Number(n) + " " + noun
}

// CountOf writes a number of something out of turns: "1 match of 2 turns", "1 of 2 turns". Occurrences and the nearest
// are turns.
func CountOf(n int, noun string, turns int) string {
	count := theme.Number(n)
	if noun == "matches" {
		count = Count(n, noun)
	}
	return count + " of " + theme.Count(turns, "turn", "turns")
}

// binName names a bin in the usual form: "2024", "Q2 2024", "May 2024", "May–Jun 2024", "6–12 May 2024", "Tue 14 May
// 2024", "Tue 14 May 2024, 09:00–10:00".
func binName(unit timebin.Bin, start, end int64, th theme.Theme) string {
	from, last := utc(start), utc(end-1)
	switch unit.Unit {
	case timebin.Year:
		return th.Years(from, last)
	case timebin.Quarter:
		return quarter(from)
	case timebin.Month:
		return th.Months(from, last)
	case timebin.Week:
		return th.Days(from, last)
	case timebin.Minute, timebin.Hour:
		return theme.Weekday(from) + ", " + th.Span(theme.Clock(from), theme.Clock(utc(end)))
	}
	return theme.Weekday(from)
}

func utc(seconds int64) time.Time { return time.Unix(seconds, 0).UTC() }

func quarter(t time.Time) string { return fmt.Sprintf("Q%d %d", (t.Month()+2)/3, t.Year()) }

// Crumb names a window exactly and as briefly as possible: "2024", "Q2 2024", "May 2024", "May–Jul 2024", "3 May 2024",
// "3 May – 30 Jun 2024", "3 May 2024, 14:00–16:00".
func Crumb(from, to int64, th theme.Theme) string {
	first, last := utc(from), utc(to-1)
	holds := func(unit timebin.Unit) bool {
		bin := timebin.Bin{Unit: unit, N: 1}
		return bin.Floor(from) == from && bin.Floor(to) == to
	}
	switch {
	case holds(timebin.Year):
		return th.Years(first, last)
	case holds(timebin.Quarter) && quarter(first) == quarter(last):
		return quarter(first)
	case holds(timebin.Month):
		return th.Months(first, last)
	case holds(timebin.Day):
		return th.Days(first, last)
	case theme.Day(first) == theme.Day(last):
		return theme.Day(first) + ", " + th.Span(theme.Clock(first), theme.Clock(utc(to)))
	}
	moment := func(t time.Time) string { return theme.Day(t) + ", " + theme.Clock(t) }
	return th.Span(moment(first), moment(utc(to)))
}
