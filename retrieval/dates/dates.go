// Package dates finds the dates that a question names, and the days that each of them is about. It is pure: a text, the
// present time and the end of the archive are all that it knows.
//
// The rules are:
//
//   - A day, a week, a month, a quarter, a season, a holiday or a year is found where it is written as such: 8 May
//     2023, May 8, 2023-05-08, the week of 8 May, 2024-W20, week 20 of 2024, May 2023, Q2 2024, summer 2023, Christmas
//     2022; and so are ranges of them, from March to May 2023. Names are known in English, German, Dutch, French and
//     Spanish.
//   - May, March, Spring and Christmas are words, too. Without a year, a month counts only after a preposition of its
//     language (in May, im Mai), a season or a holiday only if also nothing is named by it (at Christmas, but not at
//     Christmas parties), and each is that of every year. The number of a week counts without a year only if it is all
//     that is asked for (Only): pregnancies and courses have a week 20, too. So do a weekday (on Friday, Friday 14
//     April), a third of a month (mid April) and an abbreviation (in Apr).
//   - A year by itself counts after a preposition. Elsewhere it must be 2000 or later and not in the future, and follow
//     a word that is neither capitalized nor numbered so (Visual Studio 2022, port 2023). It never counts before what
//     it may count (2023 words).
//   - Relative dates (two weeks ago, last summer) count back from Reference. Beside a date with a year they say nothing
//     more: in "last Friday, as mentioned on 6 May 2023" the turn is that of May.
//   - A word before a date opens its window: since May 2023 begins with that month, after May 2023 behind it; until May
//     2023 ends with it, before May 2023 where it begins.
//   - A window is soft: people talk about what happened after it did, so it is longer than the days that are named,
//     and its ends weigh less. See Window.
//
// All days are UTC days, weeks begin on Monday, and seasons are those of the northern hemisphere.
package dates

import (
	"slices"
	"time"

	"lens/retrieval/timebin"
)

// Kind is what an expression names.
type Kind string

// The kinds.
const (
	Day     Kind = "day"
	Week    Kind = "week" // or a weekend
	Month   Kind = "month"
	Quarter Kind = "quarter"
	Season  Kind = "season"
	Holiday Kind = "holiday"
	Year    Kind = "year"
	Range   Kind = "range" // from one to another, or from or up to one
)

// Expression is a date found in a text.
type Expression struct {
	From, To int // bytes of the text
	Kind     Kind
	Relative bool // counted back from the reference
	Yearly   bool // without a year: Window is that of the reference's year, and stands for that of every year
	Window   Window

	of func(year int) Window // nil unless Yearly
}

// Window is the time that an expression is about. A zero end is open.
type Window struct {
	timebin.Span              // with what may belong to it
	Named        timebin.Span // the days that are named
}

// Weight says how much a time belongs to the window: 1 on the days that are named, from there falling evenly to 0 at
// the ends of the window.
func (w Window) Weight(t time.Time) float64 {
	if t.Before(w.Since) || !w.Until.IsZero() && !t.Before(w.Until) {
		return 0
	}
	weight := 1.0
	if before := w.Named.Since.Sub(t); before > 0 && !w.Since.IsZero() {
		weight = 1 - float64(before)/float64(w.Named.Since.Sub(w.Since))
	}
	if after := t.Sub(w.Named.Until); after >= 0 && !w.Until.IsZero() {
		weight = min(weight, 1-float64(after)/float64(w.Until.Sub(w.Named.Until)))
	}
	return weight
}

// staleAfter is how long after its last turn an archive is old: it has little of the last months.
const staleAfter = 90 * 24 * time.Hour

// Reference returns the time from which relative dates count back: now or, for an archive whose last turn is more than
// 90 days old, the time of that turn, which is when the person last spoke. A zero end is an archive without one.
func Reference(now, end time.Time) time.Time {
	if CountsFromEnd(now, end) {
		return end.UTC()
	}
	return now.UTC()
}

// CountsFromEnd reports whether relative dates count back from the end of the archive, as Reference has it.
func CountsFromEnd(now, end time.Time) bool { return !end.IsZero() && now.Sub(end) > staleAfter }

// Find returns the dates in text, in their order. end is the time of the last turn of the archive, see Reference.
func Find(text string, now, end time.Time) []Expression {
	return find(text, Reference(now, end), false)
}

// find returns the dates in text. In a text that names no more than a time, alone, the number of a week is a date, and
// so is a day of any month (14 apr, 4 may) and what whole reads.
func find(text string, reference time.Time, alone bool) []Expression {
	p := parser{vocabulary: readVocabulary(), text: text, tokens: tokenize(text), reference: reference, alone: alone}
	var found []Expression
	for i := 0; i < len(p.tokens); {
		if t := p.tokens[i]; t.digits == 0 && !p.begins[t.word] {
			i++
			continue
		}
		e, next, ok := p.expression(i)
		if !ok {
			i++
			continue
		}
		if e.Window.isValid() {
			found = append(found, e)
		}
		i = next
	}
	if slices.ContainsFunc(found, func(e Expression) bool { return !e.Relative && !e.Yearly }) {
		found = slices.DeleteFunc(found, func(e Expression) bool { return e.Relative })
	}
	return found
}

// latest returns the days that an expression names; of those of every year, the latest that have begun.
func (e Expression) latest(reference time.Time) timebin.Span {
	if !e.Yearly {
		return e.Window.Named
	}
	return e.latestWindow(reference, false).Named
}

// latestWindow returns the latest window of a yearly expression that has begun, or that is over. Weeks 50 to 53 are no
// window in most years.
func (e Expression) latestWindow(reference time.Time, over bool) Window {
	for year := reference.Year() + 1; ; year-- {
		w := e.of(year)
		begun := w.Named.Since.Before(w.Named.Until) && !w.Named.Since.After(reference)
		if begun && !(over && w.Named.Until.After(reference)) {
			return w
		}
	}
}

// isValid reports whether the window lies in years that have four digits. Others come from numbers like 9000 years ago.
func (w Window) isValid() bool {
	inYears := func(t time.Time) bool { return t.IsZero() || t.Year() >= 1 && t.Year() <= 9999 }
	return inYears(w.Since) && inYears(w.Until) && (w.Since.IsZero() || w.Until.IsZero() || w.Since.Before(w.Until))
}

// Windows returns the windows of e that overlap [first, last], in their order: one, or for a yearly expression one of
// each year.
func (e Expression) Windows(first, last time.Time) []Window {
	all := []Window{e.Window}
	if e.Yearly {
		all = nil
		for year := first.Year() - 2; year <= last.Year()+2; year++ {
			all = append(all, e.of(year))
		}
	}
	return slices.DeleteFunc(all, func(w Window) bool {
		return w.Since.After(last) || !w.Until.IsZero() && !w.Until.After(first)
	})
}
