package histogram

import (
	"fmt"
	"time"

	"lens/retrieval/timebin"
	"lens/tui/theme"
)

// Words describes bin i: "May 2024: 19 matches of 51 turns".
func (c Chart) Words(i int, th theme.Theme) string {
	if i < 0 || i >= len(c.Bins) {
		return ""
	}
	b := c.Bins[i]
	words := binName(c.Unit, b.Start, b.End, th) + c.zone() + ": " + Count(b.Count, c.Noun)
	if c.Baselined && b.Baseline > 0 {
		words += " of " + theme.Count(b.Baseline, "turn", "turns")
		if c.Share {
			words += " (" + theme.Percent(c.Height(b)) + ")"
		}
	}
	return words
}

// BrushWords describes the brush, "" for none: "May 2024 – Jul 2024: 40 matches".
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
	name := binName(c.Unit, from.Start, from.End, th)
	switch {
	case len(bins) == 1:
	case c.Unit.Unit == timebin.Week || c.Unit.Unit == timebin.Day:
		name = days(from.Start, to.End, th)
	case c.Unit.Unit == timebin.Month && c.Unit.N > 1:
		name = time.Unix(from.Start, 0).UTC().Format("Jan 2006") + " " + th.Glyphs.Dash + " " +
			time.Unix(to.End-1, 0).UTC().Format("Jan 2006")
	default:
		name += " " + th.Glyphs.Dash + " " + binName(c.Unit, to.Start, to.End, th)
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

// binName names a bin in the usual form: "2024", "Q2 2024", "May 2024", "May–Jun 2024", "6–12 May 2024", "Tue 14 May
// 2024", "Tue 14 May 2024 09:00–10:00".
func binName(unit timebin.Bin, start, end int64, th theme.Theme) string {
	t := time.Unix(start, 0).UTC()
	switch last := time.Unix(end-1, 0).UTC(); unit.Unit {
	case timebin.Year:
		return span(t.Format("2006"), last.Format("2006"), th)
	case timebin.Quarter:
		return fmt.Sprintf("Q%d %d", (t.Month()+2)/3, t.Year())
	case timebin.Month:
		if t.Year() == last.Year() && t.Month() != last.Month() {
			return t.Format("Jan") + th.Glyphs.Dash + last.Format("Jan 2006")
		}
		return span(t.Format("Jan 2006"), last.Format("Jan 2006"), th)
	case timebin.Week:
		return days(start, end, th)
	case timebin.Minute, timebin.Hour:
		return t.Format("Mon 2 Jan 2006 15:04") + th.Glyphs.Dash + time.Unix(end, 0).UTC().Format("15:04")
	}
	return t.Format("Mon 2 Jan 2006")
}

// span joins the names of the first and the last part of a bin, which may be one.
func span(first, last string, th theme.Theme) string {
	if first == last {
		return first
	}
	return first + th.Glyphs.Dash + last
}

// days names the days of [start, end) without repeating the month or the year.
func days(start, end int64, th theme.Theme) string {
	from, to := time.Unix(start, 0).UTC(), time.Unix(end-1, 0).UTC()
	switch {
	case from.Year() != to.Year():
		return from.Format("2 Jan 2006") + " " + th.Glyphs.Dash + " " + to.Format("2 Jan 2006")
	case from.Month() != to.Month():
		return from.Format("2 Jan") + " " + th.Glyphs.Dash + " " + to.Format("2 Jan 2006")
	case from.Day() != to.Day():
		return from.Format("2") + th.Glyphs.Dash + to.Format("2 Jan 2006")
	}
	return to.Format("2 Jan 2006")
}

// Crumb names a window exactly and as briefly as possible: "2024", "2024-Q2", "2024-05", "2024-05-03", "2024-05-03
// 14:00", else "2024-05-03..2024-06-30", which includes the last day.
func Crumb(from, to int64) string {
	for unit := timebin.Year; unit > timebin.None; unit-- {
		bin := timebin.Bin{Unit: unit, N: 1}
		if unit != timebin.Week && bin.Floor(from) == from && bin.Next(from) == to {
			return bin.Label(from)
		}
	}
	format := time.DateOnly
	if from%86400 != 0 || to%86400 != 0 {
		format = "2006-01-02 15:04"
		return time.Unix(from, 0).UTC().Format(format) + ".." + time.Unix(to, 0).UTC().Format(format)
	}
	return time.Unix(from, 0).UTC().Format(format) + ".." + time.Unix(to-1, 0).UTC().Format(format)
}
