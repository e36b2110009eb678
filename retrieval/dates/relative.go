package dates

import (
	"time"

	"lens/retrieval/timebin"
)

// relative reads a date that counts back from the reference.
func (p *parser) relative(i int) (Expression, int, bool) {
	for _, read := range []func(int) (Expression, int, bool){p.oneWord, p.agoAt, p.lastAt, p.pastAt} {
		if e, next, ok := read(i); ok {
			e.Relative = true
			return e, next, true
		}
	}
	return Expression{}, i, false
}

// oneWord reads yesterday, the day before yesterday, avant-hier. A title like the song Yesterday is none.
func (p *parser) oneWord(i int) (Expression, int, bool) {
	t := p.at(i)
	var n int
	var ok bool
	next := i + 1
	switch {
	case p.phrase(i, "day", "before", "yesterday"):
		n, next, ok = 2, i+3, true
	case p.phrase(i, "avant", "hier"):
		n, next, ok = 2, i+2, true
	case p.phrase(i, "aujourd", "hui"):
		next, ok = i+2, true
	default:
		n, ok = p.daysBack[t.word]
		ok = ok && (!t.capital || t.opens)
	}
	if !ok {
		return Expression{}, i, false
	}
	return p.dayBack(n), next, true
}

// today returns the beginning of the day of the reference.
func (p *parser) today() time.Time { return p.reference.Truncate(24 * time.Hour) }

func (p *parser) dayBack(n int) Expression {
	s := timebin.Span{Since: p.today().AddDate(0, 0, -n), Until: p.today().AddDate(0, 0, 1-n)}
	return Expression{Kind: Day, Window: soften(s, Day)}
}

// agoAt reads two weeks ago, a couple of months ago, vor zwei Wochen, il y a un an, hace dos semanas.
func (p *parser) agoAt(i int) (Expression, int, bool) {
	at, before := i, false
	switch {
	case p.phrase(i, "vor"), p.phrase(i, "hace"):
		at, before = i+1, true
	case p.phrase(i, "il", "y", "a"):
		at, before = i+3, true
	}
	n, u, next, ok := p.amount(at)
	switch {
	case !ok || before && !p.joined(at, ""):
	case before:
		return p.back(n, u), next, true
	case p.isWord(next, p.ago):
		return p.back(n, u), next + 1, true
	}
	return Expression{}, i, false
}

// maxAmount is how many units one counts back.
const maxAmount = 1000

// amount reads a number of units: three weeks, a couple of months.
func (p *parser) amount(i int) (n int, u unit, next int, ok bool) {
	t := p.at(i)
	n, ok = p.numbers[t.word]
	if t.number >= 0 && t.suffix == "" {
		n, ok = t.number, !p.touches(i, ".,-")
	}
	at := i + 1
	if second := p.numbers[p.at(at).word]; ok && n == 1 && second > 1 && p.joined(at, "") { // a few, ein paar
		n, at = second, at+1
	}
	at = p.skip(p.of, at)
	u, known := p.units[p.at(at).word]
	return n, u, at + 1, ok && known && n > 0 && n <= maxAmount && p.joined(at, "")
}

// back returns the unit that lies n units back, around that day: half a week, a month or a year before and after.
func (p *parser) back(n int, u unit) Expression {
	day := p.today()
	around := func(t time.Time, days int, kind Kind) Expression {
		named := timebin.Span{Since: t.AddDate(0, 0, -days), Until: t.AddDate(0, 0, days+1)}
		return Expression{Kind: kind, Window: soften(named, kind)}
	}
	switch u {
	case inMinutes, inHours:
		t := p.earlier(n, u)
		return Expression{Kind: Day, Window: soften(dayOf(t.Year(), t.Month(), t.Day(), 1), Day)}
	case inDays:
		return p.dayBack(n)
	case inWeeks, inWeekends:
		return around(day.AddDate(0, 0, -7*n), 3, Week)
	case inMonths:
		return around(monthsBack(day, n), 15, Month)
	case inQuarters:
		return around(monthsBack(day, 3*n), 45, Quarter)
	}
	return around(monthsBack(day, 12*n), 182, Year)
}

// monthsBack returns the same day n months earlier, or the last of a shorter month.
func monthsBack(t time.Time, n int) time.Time {
	back := t.AddDate(0, -n, 0)
	if back.Day() != t.Day() {
		return back.AddDate(0, 0, -back.Day())
	}
	return back
}

// lastAt reads last week, this month, last May, la semana pasada, l'été dernier. Not the last week of something.
func (p *parser) lastAt(i int) (Expression, int, bool) {
	_, last := p.lastBefore[p.at(i).word]
	_, this := p.this[p.at(i).word]
	if last || this {
		if p.phrase(i, "last", "night") {
			return p.dayBack(1), i + 2, true
		}
		e, next, ok := p.recent(i+1, this)
		return e, next, ok && p.joined(i+1, "") && !p.isWord(next, p.of)
	}
	e, next, ok := p.recent(i, false)
	if ok && p.isWord(next, p.lastAfter) {
		return e, next + 1, true
	}
	return Expression{}, i, false
}

// recent reads a unit, a weekday, a month, a season or a holiday, and returns the latest that is over, or with this the
// one that it is now or was last.
func (p *parser) recent(i int, this bool) (Expression, int, bool) {
	if p.phrase(i, "week", "end") {
		e, _ := p.recentUnit(inWeekends, this)
		return e, i + 2, true
	}
	if u, ok := p.units[p.at(i).word]; ok {
		e, known := p.recentUnit(u, this)
		return e, i + 1, known
	}
	if day, ok := p.weekdays[p.at(i).word]; ok {
		back := (int(p.reference.Weekday()-day) + 7) % 7
		if back == 0 && !this {
			back = 7
		}
		return p.dayBack(back), i + 1, true
	}
	d, next, ok := p.name(i)
	mayMean := this && p.ambiguous[p.at(i).word] != 0 && !p.at(i).capital // this may take a while
	if !ok || mayMean || p.isShortMonth(i) {
		return Expression{}, i, false
	}
	if year, _ := p.yearAfter(next); year > 0 {
		return Expression{}, i, false
	}
	each := p.newExpression(d.kind, true, func(year int) Window { return soften(d.span(year), d.kind) })
	return Expression{Kind: d.kind, Window: each.latestWindow(p.reference, !this)}, next, true
}

// recentUnit returns the last week, month, quarter or year of the calendar, or with this the present one.
func (p *parser) recentUnit(u unit, this bool) (Expression, bool) {
	by, kind := timebin.Bin{Unit: timebin.Week, N: 1}, Week
	switch u {
	case inWeeks, inWeekends:
	case inMonths:
		by.Unit, kind = timebin.Month, Month
	case inQuarters:
		by.Unit, kind = timebin.Quarter, Quarter
	case inYears:
		by.Unit, kind = timebin.Year, Year
	default:
		return Expression{}, false
	}
	start := by.Floor(p.reference.Unix())
	end := by.Next(start)
	if !this {
		start, end = by.Floor(start-1), start
	}
	s := timebin.Span{Since: time.Unix(start, 0).UTC(), Until: time.Unix(end, 0).UTC()}
	if u == inWeekends {
		s.Since = s.Since.AddDate(0, 0, 5)
	}
	return Expression{Kind: kind, Window: soften(s, kind)}, true
}

// pastAt reads the past three weeks, the last few months, die letzten drei Wochen, les 3 derniers mois, the past year:
// the time up to the reference.
func (p *parser) pastAt(i int) (Expression, int, bool) {
	if p.phrase(i, "past") {
		if u, ok := p.units[p.at(i+1).word]; ok && p.joined(i+1, "") && u != inMinutes && u != inHours {
			return p.upToNow(1, u), i + 2, true
		}
	}
	if p.has(p.past, i) {
		if n, u, next, ok := p.amount(i + 1); ok {
			return p.upToNow(n, u), next, true
		}
	}
	n, ok := p.numbers[p.at(i).word]
	if t := p.at(i); t.number > 0 && t.suffix == "" {
		n, ok = t.number, true
	}
	if ok && n <= maxAmount && p.isWord(i+1, p.past) { // les 3 derniers mois, los dos ultimos meses
		if u, known := p.units[p.at(i+2).word]; known && p.joined(i+2, "") {
			return p.upToNow(n, u), i + 3, true
		}
	}
	return Expression{}, i, false
}

func (p *parser) upToNow(n int, u unit) Expression {
	since := p.earlier(n, u).Truncate(24 * time.Hour)
	named := timebin.Span{Since: since, Until: p.today().AddDate(0, 0, 1)}
	return Expression{Kind: Range, Window: Window{named, named}}
}

// earlier returns the time n units before the reference.
func (p *parser) earlier(n int, u unit) time.Time {
	switch u {
	case inMinutes:
		return p.reference.Add(-time.Duration(n) * time.Minute)
	case inHours:
		return p.reference.Add(-time.Duration(n) * time.Hour)
	case inWeeks, inWeekends:
		return p.reference.AddDate(0, 0, -7*n)
	case inMonths:
		return monthsBack(p.reference, n)
	case inQuarters:
		return monthsBack(p.reference, 3*n)
	case inYears:
		return monthsBack(p.reference, 12*n)
	}
	return p.reference.AddDate(0, 0, -n)
}

// beside reads a date that another one places: two weeks before August 11, 2023, the Sunday before 25 May 2022. It is
// from the one up to the other, since people tell of it there.
func (p *parser) beside(i int) (Expression, int, bool) {
	first := i
	if p.has(p.lastBefore, i) {
		first++
	}
	n, u, at, ok := p.amount(first)
	if !ok {
		n, at = 1, first+1
		if u, ok = p.units[p.at(first).word]; !ok {
			if _, ok = p.weekdays[p.at(first).word]; ok {
				u = inWeeks
			}
		}
	}
	earlier, later := p.phrase(at, "before"), p.phrase(at, "after")
	if !ok || !earlier && !later || !p.joined(at, "") {
		return Expression{}, i, false
	}
	start := p.skip(p.articles, at+1)
	d, next, ok := p.point(start)
	if !ok || d.bare || !p.joined(start, "'’") {
		return Expression{}, i, false
	}
	length := p.today().Sub(p.upToNow(n, u).Window.Since)
	return p.newExpression(Range, d.year == 0, func(year int) Window {
		s := d.span(year)
		if earlier {
			s.Since = s.Since.Add(-length)
		} else {
			s.Until = s.Until.Add(length)
		}
		return soften(s, d.kind)
	}), next, true
}
