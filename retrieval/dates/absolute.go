package dates

import (
	"strconv"
	"strings"
	"time"

	"lens/retrieval/timebin"
)

// parser looks for dates in the tokens of a text. Its methods take the token at which something may begin, and return
// the one after its end.
type parser struct {
	*vocabulary
	text      string
	tokens    []token
	reference time.Time
	alone     bool // the text names a time and nothing else
}

// expression reads the date that begins at token i.
func (p *parser) expression(i int) (e Expression, next int, ok bool) {
	for _, read := range []func(int) (Expression, int, bool){p.beside, p.span, p.relative, p.single, p.whole} {
		if e, next, ok = read(i); ok {
			e.From, e.To = p.tokens[i].from, p.tokens[next-1].end()
			return p.opened(e, i), next, true
		}
	}
	return Expression{}, i, false
}

// single reads one date.
func (p *parser) single(i int) (Expression, int, bool) {
	d, next, ok := p.point(i)
	if !ok || d.bare && !p.stands(d, i, next) {
		return Expression{}, i, false
	}
	return p.newExpression(d.kind, d.year == 0, func(year int) Window { return soften(d.span(year), d.kind) }), next, true
}

// opened reads the word before a date, at token i, that leaves its window open: since May, before 2022. A date of every
// year has no beginning, so that until May stays May.
func (p *parser) opened(e Expression, i int) Expression {
	word := p.skipBack(i) - 1
	since, after := p.has(p.since, word), p.has(p.after, word)
	until, before := p.has(p.upTo, word), p.has(p.before, word)
	switch {
	case e.Kind == Range || !p.joined(i, "") || !since && !after && (e.Yearly || !until && !before):
		return e
	case e.Yearly:
		e.Window = e.latestWindow(p.reference, after)
	}
	named, w := e.Window.Named, &e.Window
	switch {
	case after:
		w.Since, w.Named.Since = named.Until, named.Until
	case before:
		w.Until, w.Named.Until = named.Since, named.Since
	}
	if since || after {
		w.Until, w.Named.Until = time.Time{}, time.Time{}
	} else {
		w.Since, w.Named.Since = time.Time{}, time.Time{}
	}
	e.From, e.Kind, e.Yearly, e.of = p.tokens[word].from, Range, false, nil
	return e
}

// newExpression returns an expression whose window is that of a year or, if it is not yearly, the same for each.
func (p *parser) newExpression(kind Kind, yearly bool, of func(year int) Window) Expression {
	e := Expression{Kind: kind, Yearly: yearly, Window: of(p.reference.Year())}
	if yearly {
		e.of = of
	}
	return e
}

// point reads a date, of which the longest form counts.
func (p *parser) point(i int) (point, int, bool) {
	for _, read := range []func(int) (point, int, bool){
		p.numeric, p.dayMonth, p.monthDay, p.week, p.quarter, p.named, p.yearNamed, p.year,
	} {
		if d, next, ok := read(i); ok {
			return d, next, true
		}
	}
	return point{}, i, false
}

// numeric reads 2023-09-08, 2023/9/8, 2023-09 and 8.9.2023.
func (p *parser) numeric(i int) (point, int, bool) {
	a, b, c := p.at(i), p.at(i+1), p.at(i+2)
	if a.suffix != "" || a.number < 0 || b.suffix != "" || b.number < 0 || b.digits > 2 || p.touches(i, "-/.:_@#") {
		return point{}, i, false
	}
	mark := b.gap
	third := c.gap == mark && c.number >= 0 && (c.suffix == "" || c.isTime())
	switch {
	case third && a.digits == 4 && (mark == "-" || mark == "/") && c.digits <= 2 && isYear(a.number) &&
		isDate(a.number, b.number, c.number) && p.ends(i+3):
		return point{kind: Day, year: a.number, number: b.number, day: c.number}, i + 3, true
	case third && mark == "." && a.digits <= 2 && c.digits == 4 && c.suffix == "" && isYear(c.number) &&
		isDate(c.number, b.number, a.number) && p.ends(i+3):
		return point{kind: Day, year: c.number, number: b.number, day: a.number}, i + 3, true
	case mark == "-" && a.digits == 4 && b.digits == 2 && isYear(a.number) && isDate(a.number, b.number, 1) && p.ends(i+2):
		return point{kind: Month, year: a.number, number: b.number}, i + 2, true
	}
	return point{}, i, false
}

// touches reports whether one of marks stands directly before token i.
func (p *parser) touches(i int, marks string) bool {
	before := p.byteBefore(i)
	return before != 0 && strings.IndexByte(marks, before) >= 0
}

// ends reports whether a number may end before token j: nothing follows that makes it part of something longer.
func (p *parser) ends(j int) bool {
	if strings.HasPrefix(strings.TrimLeft(p.text[p.tokens[j-1].to:], " "), "€") {
		return false
	}
	first, second := p.bytesAfter(j)
	switch first {
	case '%', '$', '_', '@':
		return false
	case '-', '/', '.', ',':
		return !isDigit(second)
	}
	return true
}

// dayMonth reads 8 September 2023, the 8th of September, 8. Mai, le 1er mai 2023, 1 de mayo de 2023.
func (p *parser) dayMonth(i int) (point, int, bool) {
	d, at, ok := p.dayNumber(i)
	if isName := p.at(i).gap == "-" && p.at(i-1).digits == 0; !ok || isName { // COVID-19 March 2020, GPT-4 May 2023
		return point{}, i, false
	}
	at = p.skip(p.of, at)
	month, known := p.months[p.at(at).word]
	if !known || !p.joined(at, ".-") {
		return point{}, i, false
	}
	year, next := p.yearAfter(at + 1)
	if !isDate(year, month.number, d) {
		return point{}, i, false
	}
	verb := p.ambiguous[p.at(at).word]&en != 0 && !p.at(at).capital // the 1st may fail, gpt-4o may be
	ordinal := at > i+1 || p.at(i).suffix != "" && p.joined(at, "-") && !verb
	hasPreposition := p.has(p.dayPrepositions, i-1) || p.has(p.dayPrepositions, p.skipBack(i)-1)
	bare := !ordinal && p.ambiguous[p.at(at).word] != 0 || month.short
	if year == 0 && bare && !hasPreposition && !p.alone {
		return point{}, i, false
	}
	return point{kind: Day, year: year, number: month.number, day: d}, next, true
}

// monthDay reads September 8, 2023, May 5th, Sept. 8.
func (p *parser) monthDay(i int) (point, int, bool) {
	month, known := p.months[p.at(i).word]
	d, at, ok := p.dayNumber(i + 1)
	if !known || !ok || !p.joined(i+1, ".-") {
		return point{}, i, false
	}
	year, next := p.yearAfter(at)
	if !isDate(year, month.number, d) {
		return point{}, i, false
	}
	if first, _ := p.bytesAfter(at); year == 0 && (first == ':' || !p.ends(at)) {
		return point{}, i, false
	}
	ordinal := p.at(i+1).suffix != ""
	bare := !ordinal && (month.short || p.ambiguous[p.at(i).word] != 0)
	if year == 0 && bare && !p.has(p.dayPrepositions, i-1) && !p.alone {
		return point{}, i, false
	}
	return point{kind: Day, year: year, number: month.number, day: d}, next, true
}

// ordinals are what follows the digits of a day.
var ordinals = []string{"", "st", "nd", "rd", "th", "er", "e", "te", "ten", "ste", "de", "o", "a"}

// dayNumber reads the number of a day.
func (p *parser) dayNumber(i int) (day, next int, ok bool) {
	t := p.at(i)
	if t.digits < 1 || t.digits > 2 || t.number < 1 || t.number > 31 || p.touches(i, "$€£#.:/") {
		return 0, i, false
	}
	for _, ordinal := range ordinals {
		if t.suffix == ordinal {
			return t.number, i + 1, true
		}
	}
	return 0, i, false
}

// yearAfter reads the year that follows a day or a month, 0 if there is none: 2023, of 2023, de 2023, '23.
func (p *parser) yearAfter(i int) (year, next int) {
	at := p.skip(p.of, i)
	t := p.at(at)
	switch {
	case t.suffix != "":
	case t.digits == 4 && isYear(t.number) && p.joined(at, ".,-/"):
		return t.number, at + 1
	case t.digits == 2 && (t.gap == "'" || t.gap == "’"):
		return 2000 + t.number, at + 1
	}
	return 0, i
}

func isYear(n int) bool { return n >= 1900 && n <= 2100 }

// skip returns the token after i if i is one of words, else i.
func (p *parser) skip(words map[string]language, i int) int {
	if p.isWord(i, words) {
		return i + 1
	}
	return i
}

// has reports whether token i is one of words and only blanks stand between it and the next.
func (p *parser) has(words map[string]language, i int) bool {
	_, known := words[p.at(i).word]
	return known && p.joined(i+1, "")
}

// week reads 2024-W20, week 20 of 2024, the week of 8 September 2023, de week van 15 mei and, alone, week 20.
func (p *parser) week(i int) (point, int, bool) {
	if n, ok := p.weekNumber(i+1, strings.TrimPrefix(p.at(i+1).word, "w")); ok && p.isPlainYear(i) && p.joined(i+1, "-") &&
		p.at(i+1).digits == 0 {
		year := p.at(i).number
		return point{kind: Week, year: year, number: n}, i + 2, hasWeek(year, n)
	}
	if p.units[p.at(i).word] != inWeeks {
		return point{}, i, false
	}
	if n, ok := p.weekNumber(i+1, p.at(i+1).word); ok && p.joined(i+1, "") {
		year, next := p.yearAfter(i + 2)
		return point{kind: Week, year: year, number: n}, next, year > 0 && hasWeek(year, n) || year == 0 && p.alone
	}
	if !p.isWord(i+1, p.of) {
		return point{}, i, false
	}
	start := p.skip(p.articles, i+2)
	for _, read := range []func(int) (point, int, bool){p.numeric, p.dayMonth, p.monthDay} {
		if d, next, ok := read(start); ok && d.kind == Day && p.joined(start, "") {
			d.kind = Week
			return d, next, true
		}
	}
	return point{}, i, false
}

func hasWeek(year, number int) bool {
	_, ok := timebin.WeekOf(year, number)
	return ok
}

// weekNumber reads the digits of token i as the number of a week.
func (p *parser) weekNumber(i int, digits string) (int, bool) {
	n, err := strconv.Atoi(digits)
	return n, err == nil && len(digits) <= 2 && 1 <= n && n <= 53 && p.ends(i+1)
}

// quarter reads Q2 2024, 2024-Q2, the second quarter of 2024.
func (p *parser) quarter(i int) (point, int, bool) {
	first, second := p.at(i), p.at(i+1)
	if n := quarterNumber(first.word); n >= 0 {
		year, next := p.yearAfter(i + 1)
		return point{kind: Quarter, year: year, number: n, bare: year == 0, languages: en | de | nl | fr | es}, next, true
	}
	if n := quarterNumber(second.word); n >= 0 && p.isPlainYear(i) && p.joined(i+1, "-/") {
		return point{kind: Quarter, year: first.number, number: n}, i + 2, true
	}
	if n, ok := nth[first.word]; ok && second.word == "quarter" && p.joined(i+1, "") {
		if year, next := p.yearAfter(i + 2); year > 0 {
			return point{kind: Quarter, year: year, number: n}, next, true
		}
	}
	return point{}, i, false
}

// nth numbers the quarters of a year.
var nth = map[string]int{
	"first": 0, "second": 1, "third": 2, "fourth": 3, "last": 3, "1st": 0, "2nd": 1, "3rd": 2, "4th": 3,
}

// quarterNumber returns the number of Q1 to Q4 from 0, -1 for any other word.
func quarterNumber(word string) int {
	if len(word) == 2 && word[0] == 'q' && word[1] >= '1' && word[1] <= '4' {
		return int(word[1] - '1')
	}
	return -1
}

func (p *parser) isPlainYear(i int) bool {
	t := p.at(i)
	return t.digits == 4 && t.suffix == "" && isYear(t.number) && !p.touches(i, "$€£#.-/:_@+=<>^~")
}

// named reads a month, a season or a holiday with its year or without: May 2023, summer of 2023, Christmas 2022.
func (p *parser) named(i int) (point, int, bool) {
	d, at, ok := p.name(i)
	if !ok {
		return d, i, false
	}
	year, next := p.yearAfter(at)
	if year == 0 && p.isShortMonth(i) || p.at(i).word == "ago" { // Spanish for August only beside a day
		return d, i, false
	}
	d.year, d.bare = year, year == 0
	if d.kind == Season && year > 0 { // winter 2022/23
		end := p.at(next)
		if isNext := end.number == (year+1)%100 || end.number == year+1; isNext && end.suffix == "" && p.joined(next, "/-–") {
			next++
		}
	}
	return d, next, true
}

func (p *parser) isShortMonth(i int) bool { return p.months[p.at(i).word].short }

// name reads the name of a month, a season or a holiday.
func (p *parser) name(i int) (point, int, bool) {
	word := p.at(i).word
	if m, ok := p.months[word]; ok {
		return point{kind: Month, number: m.number, languages: m.languages}, i + 1, true
	}
	if s, ok := p.seasons[word]; ok {
		return point{kind: Season, number: s.number, languages: s.languages}, i + 1, true
	}
	for _, h := range holidays {
		if p.phrase(i, h.words...) {
			return point{kind: Holiday, number: int(h.holiday), languages: h.languages}, i + len(h.words), true
		}
	}
	return point{}, i, false
}

// yearNamed reads 2023 May, 2023 summer.
func (p *parser) yearNamed(i int) (point, int, bool) {
	if !p.isPlainYear(i) || !p.joined(i+1, "") || p.isShortMonth(i+1) || p.ambiguous[p.at(i+1).word] != 0 {
		return point{}, i, false
	}
	d, next, ok := p.name(i + 1)
	d.year = p.at(i).number
	return d, next, ok
}

// year reads a year by itself.
func (p *parser) year(i int) (point, int, bool) {
	if !p.isPlainYear(i) || !p.ends(i+1) {
		return point{}, i, false
	}
	return point{kind: Year, year: p.at(i).number, bare: true}, i + 1, true
}

// stands reports whether a word of its own, at the tokens [i, next), is meant as a date.
func (p *parser) stands(d point, i, next int) bool {
	if d.kind == Year {
		return p.isYearAlone(i, next)
	}
	if d.kind == Month && p.has(p.of, i-1) && p.of[p.at(i-1).word]&p.parts[p.at(i-2).word]&d.languages != 0 {
		return true // at the end of May
	}
	before := p.skipBack(i) - 1
	word := p.at(before).word
	allowed := p.prepositions[word]
	if d.kind == Holiday {
		allowed |= p.holidayPrepositions[word]
	}
	hasArticle := before < i-1
	switch {
	case !p.joined(before+1, "'’"):
		return false
	case allowed&d.languages == 0:
		return false
	case word == "in" && d.kind == Season && p.ambiguous[p.at(i).word] != 0 && !hasArticle: // in Spring
		return false
	case d.kind == Season || d.kind == Holiday:
		return p.namesNothing(next)
	}
	return true
}

// namesNothing reports whether the sentence goes on after a season or a holiday without a word that it describes.
func (p *parser) namesNothing(next int) bool {
	return next >= len(p.tokens) || !p.joined(next, "'’") || p.isWord(next, p.glue)
}

// isYearAlone reports whether a year without a name is one.
func (p *parser) isYearAlone(i, next int) bool {
	if p.isWord(next, p.counted) {
		return false
	}
	before := p.skipBack(i) - 1
	if _, ok := p.prepositions[p.at(before).word]; ok && p.joined(i, "'’") {
		return true
	}
	if _, ok := p.yearPrepositions[p.at(before).word]; ok && p.joined(i, "'’") {
		return true
	}
	year, previous := p.at(i).number, p.at(i-1)
	if i > 0 && !p.joined(i, "") { // (Ransom, 2017), datetime(2023, 6, 9)
		return false
	}
	isPast := year >= 2000 && year <= p.reference.Year()
	return isPast && previous.number < 0 && !previous.capital && !p.has(p.numbered, i-1)
}

// skipBack returns the first of the articles before token i, or i.
func (p *parser) skipBack(i int) int {
	for i > 0 && p.joined(i, "'’") {
		if _, ok := p.articles[p.at(i-1).word]; !ok {
			break
		}
		i--
	}
	return i
}

// span reads a range: from March to May 2023, between 2021 and 2022, 3-5 May 2023, 2021-2022.
func (p *parser) span(i int) (Expression, int, bool) {
	if e, next, ok := p.years(i); ok {
		return e, next, true
	}
	at, opened := i, p.has(p.between, i)
	if opened {
		at = p.skip(p.articles, i+1)
	}
	a, middle, ok := p.rangeEnd(at)
	if !ok {
		return Expression{}, i, false
	}
	connectors := p.through
	if opened {
		connectors = p.and
	}
	start := middle
	switch {
	case p.isWord(middle, connectors):
		start = p.skip(p.articles, middle+1)
	case !p.joined(middle, "-–—") || p.joined(middle, ""):
		return Expression{}, i, false
	}
	if !p.joined(start, "-–—'’") {
		return Expression{}, i, false
	}
	b, next, ok := p.point(start)
	if !ok && a.kind == Day && a.number > 0 { // May 3-5, 2023
		b, next, ok = p.dayOfMonth(a, start)
	}
	if !ok || b.kind == Year && (a.kind != Year && a.year == 0 || p.isWord(next, p.counted)) {
		return Expression{}, i, false
	}
	if a.kind == Day && a.number == 0 { // 3 to 5 May 2023
		if a.number, a.year = b.number, b.year; b.kind != Day || !isDate(a.year, a.number, a.day) {
			return Expression{}, i, false
		}
	}
	yearly := a.year == 0 && b.year == 0
	e := p.newExpression(Range, yearly, func(year int) Window { return windowOf(a, b, year) })
	return e, next, (opened || !yearly) && e.Window.Named.Since.Before(e.Window.Named.Until)
}

// years reads 2021-2022.
func (p *parser) years(i int) (Expression, int, bool) {
	a, b := p.at(i), p.at(i+1)
	ends := b.digits == 4 && b.suffix == "" && isYear(b.number) && a.number < b.number && p.ends(i+2)
	dashed := b.gap != "" && p.joined(i+1, "-–")
	if !p.isPlainYear(i) || !dashed || !ends || !p.isYearAlone(i, i+2) {
		return Expression{}, i, false
	}
	return Expression{Kind: Range, Window: soften(monthsOf(a.number, 1, 12*(b.number-a.number+1)), Year)}, i + 2, true
}

// rangeEnd reads the first end of a range: a date, the number of a day whose month comes later, or a day of a month
// that another day follows.
func (p *parser) rangeEnd(i int) (point, int, bool) {
	day, next, ofMonth := p.dayNumber(i + 1)
	if d, end, ok := p.point(i); ok && !(ofMonth && d.kind == Month && d.bare) {
		return d, end, true
	}
	if month, known := p.months[p.at(i).word]; known && ofMonth && isDate(0, month.number, day) {
		return point{kind: Day, number: month.number, day: day}, next, true
	}
	day, next, ok := p.dayNumber(i)
	return point{kind: Day, day: day}, next, ok
}

// dayOfMonth reads the day that ends a range within a month.
func (p *parser) dayOfMonth(a point, i int) (point, int, bool) {
	day, at, ok := p.dayNumber(i)
	if !ok {
		return point{}, i, false
	}
	year, next := p.yearAfter(at)
	if year == 0 {
		year = a.year
	}
	b := point{kind: Day, year: year, number: a.number, day: day}
	return b, next, isDate(year, a.number, day)
}

// windowOf returns the window of a range, whose ends share the year that only one of them has. Without any, the range
// ends in year.
func windowOf(a, b point, year int) Window {
	if a.year == 0 && b.year == 0 {
		b.year = year
	}
	switch {
	case a.year == 0:
		if a.year = b.year; a.span(0).Since.After(b.span(0).Since) {
			a.year-- // from November to February 2023
		}
	case b.year == 0:
		if b.year = a.year; a.span(0).Since.After(b.span(0).Since) {
			b.year++
		}
	}
	first, last := soften(a.span(0), a.kind), soften(b.span(0), b.kind)
	return Window{
		Span:  timebin.Span{Since: first.Since, Until: last.Until},
		Named: timebin.Span{Since: first.Named.Since, Until: last.Named.Until},
	}
}
