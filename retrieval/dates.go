package retrieval

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"lens/retrieval/dates"
	"lens/retrieval/query"
	"lens/retrieval/rank"
	"lens/retrieval/timebin"
	"lens/store"
	"lens/store/terms"
)

// maxDates is how many dates a query may name. A text with more, such as a log that was pasted, is about none of them.
const maxDates = 4

// nearDates returns the rows near the dates that the query's words name, and notes which those are. A window that was
// set says more than a date in the words, and where no eligible turns are near any date, there is nothing to say.
func (f *searchResult) nearDates(now time.Time) []rank.DatedRows {
	since, until := f.asked.Window()
	if f.asked.Dates != query.DatesSoft || f.Dated == 0 || !since.IsZero() || !until.IsZero() {
		return nil
	}
	first, last := store.FromMicros(f.Time[0]), store.FromMicros(f.Time[f.Dated-1])
	found := dates.Find(f.asked.Text, now, last)
	if len(found) > maxDates {
		return nil
	}
	var near []dates.Expression
	var windows []dates.Window
	for _, e := range found {
		of := slices.DeleteFunc(e.Windows(first, last), func(w dates.Window) bool {
			rows := f.rowsIn(w.Span)
			return rows.From == rows.To || f.eligible != nil && f.eligible.Count(rows) == 0
		})
		if len(of) > 0 {
			near, windows = append(near, e), append(windows, of...)
		}
	}
	if len(near) == 0 {
		return nil
	}
	f.dates = datesOf(f.asked.Text, near, windows)
	f.note(f.dates.sentence(near))
	f.dropWordsOf(near)
	return f.datedRows(windows)
}

// dropWordsOf leaves the dates without a year out of the words: they say when, and a turn of April need not say so
// itself. With a year, a date is a word, too, which turns about that time often hold (rank/EXPERIMENTS.md). A query
// without other words keeps them.
func (f *searchResult) dropWordsOf(near []dates.Expression) {
	var dropped []string
	for _, e := range near {
		if e.Yearly {
			dropped = append(dropped, terms.Query(f.asked.Text[e.From:e.To])...)
		}
	}
	isDropped := func(word string) bool { return slices.Contains(dropped, word) }
	if rest := slices.DeleteFunc(slices.Clone(f.words), isDropped); len(rest) > 0 {
		f.words = rest
	}
}

// datesOf describes the windows of expressions in a text.
func datesOf(text string, near []dates.Expression, windows []dates.Window) *Dates {
	d := new(Dates)
	var texts []string
	for _, e := range near {
		texts = append(texts, text[e.From:e.To])
	}
	d.Text = strings.Join(texts, ", ")
	for _, w := range windows {
		if w.Until.Year() > 9999 { // which JSON cannot say
			w.Until = time.Time{}
		}
		d.Windows = append(d.Windows, DateWindow{optionalTime(w.Since), optionalTime(w.Until)})
	}
	d.From, d.To = d.Windows[0].From, d.Windows[0].To
	for _, w := range d.Windows {
		if w.From == nil || d.From != nil && w.From.Before(*d.From) {
			d.From = w.From
		}
		if w.To == nil || d.To != nil && w.To.After(*d.To) {
			d.To = w.To
		}
	}
	return d
}

func optionalTime(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// sentence says which turns rank higher, and why.
func (d *Dates) sentence(near []dates.Expression) string {
	days := "near these dates rank higher"
	if len(near) == 1 {
		days = namedDays(near[0]) + " rank higher" + soonAfter(near[0].Window)
	}
	return fmt.Sprintf("Turns %s: the query says “%s”.", days, d.Text)
}

// namedDays says which days an expression names.
func namedDays(e dates.Expression) string {
	layout, years := time.DateOnly, ""
	if e.Yearly {
		layout, years = "2 January", " of any year"
	}
	first, last := e.Window.Named.Since.Format(layout), e.Window.Named.Until.AddDate(0, 0, -1).Format(layout)
	switch {
	case e.Window.Named.Since.IsZero():
		return "until " + last
	case e.Window.Named.Until.IsZero():
		return "since " + first
	case first == last:
		return "of " + first + years
	}
	return "from " + first + " to " + last + years
}

// soonAfter says that turns beyond the days that are named count, too, "" where none do.
func soonAfter(w dates.Window) string {
	const day = 24 * time.Hour
	var all []string
	if before := w.Named.Since.Sub(w.Since); before > 0 && !w.Since.IsZero() {
		all = append(all, fmt.Sprintf("the %d days before", before/day))
	}
	if after := w.Until.Sub(w.Named.Until); after > 0 && !w.Named.Until.IsZero() {
		all = append(all, fmt.Sprintf("the %d days after", after/day))
	}
	if len(all) == 0 {
		return ""
	}
	return ", and to a lesser degree those from " + strings.Join(all, " and ")
}

// rowsIn returns the rows of a span.
func (f *searchResult) rowsIn(s timebin.Span) rank.RowRange {
	lo, hi := f.RowRange(store.Filter{Since: s.Since, Until: s.Until})
	return rank.RowRange{From: int32(lo), To: int32(hi)}
}

// datedRows returns the rows of windows, with the greatest weight that a window gives to each.
func (f *searchResult) datedRows(windows []dates.Window) []rank.DatedRows {
	slices.SortFunc(windows, func(a, b dates.Window) int { return a.Since.Compare(b.Since) })
	var all []rank.DatedRows
	for _, w := range windows {
		rows, named := f.rowsIn(w.Span), f.rowsIn(w.Named)
		if last := len(all) - 1; last < 0 || all[last].From+int32(len(all[last].Shares)) <= rows.From {
			all = append(all, rank.DatedRows{From: rows.From})
		}
		near := &all[len(all)-1]
		if missing := int(rows.To-near.From) - len(near.Shares); missing > 0 {
			near.Shares = append(near.Shares, make([]float64, missing)...)
		}
		for row := rows.From; row < rows.To; row++ {
			share := &near.Shares[row-near.From]
			if named.From <= row && row < named.To { // most rows of a long window, where Weight would take milliseconds
				*share = 1
			} else {
				*share = max(*share, w.Weight(store.FromMicros(f.Time[row])))
			}
		}
	}
	return all
}
