package dates

import (
	"errors"
	"slices"
	"strings"
	"time"

	"lens/internal/errs"
	"lens/retrieval/timebin"
)

// A time that is typed alone, where one goes to it or searches for nothing else: week 20, last 90d, what did I do last
// week?

// Named is the time that a text names.
type Named struct {
	timebin.Span
	Relative bool // counted back from Reference
}

// Only returns the time that a text names if it is that and nothing else, as in "May 2023", "last summer", "week 20" or
// "2024-05..2024-06", or asks for no more than what there was then: "what did I do last week?". It reads what Span
// does, but takes a number such as 0404 for a number. end is as of Find.
func Only(text string, now, end time.Time) (named Named, ok bool) {
	reference := Reference(now, end)
	if isNumber := strings.Trim(text, "0123456789 ") == ""; isNumber {
		return inWords(text, reference, saysNoMore)
	}
	named, err := read(text, reference)
	return named, err == nil
}

// Span reads a time that is typed alone: as timebin.ParseSpan does, else in words. Relative ones count back from
// Reference. Errors: those of timebin.ParseSpan.
func Span(text string, now, end time.Time) (Named, error) { return read(text, Reference(now, end)) }

func read(text string, reference time.Time) (Named, error) {
	named, err := typed(text, reference)
	if err == nil {
		return named, nil
	}
	if words, ok := inWords(text, reference, saysNoMore); ok {
		return words, nil
	}
	var wrong *errs.Error
	if errors.As(err, &wrong) {
		hinted := *wrong
		hinted.Hint = "use 2024, 2024-05, 2024-05-03, May 2024, week 20, last summer, Christmas 2024, last 90d, " +
			"or a range such as 2024-05..2024-06"
		err = &hinted
	}
	return named, err
}

// InWords returns the time that a text names in words, as the value of a filter: in May, last summer. Unlike Only, it
// takes no question. Relative ones count back from reference.
func InWords(text string, reference time.Time) (timebin.Span, bool) {
	named, ok := inWords(text, reference, isLeading)
	return named.Span, ok
}

// inWords reads the one date of a text that has nothing else than what isFrame lets stand before and after it.
func inWords(text string, reference time.Time, isFrame func(before, after string) bool) (Named, bool) {
	text = strings.TrimSpace(text)
	for _, whole := range []string{text, "in " + text} { // a year alone is a date only after a word such as in
		found := find(whole, reference, whole == text)
		if len(found) != 1 {
			continue
		}
		before, after := whole[:found[0].From], whole[found[0].To:]
		isRange := strings.Contains(before+" "+after, "..") || strings.ContainsAny(before+after, "<>=≤≥") // half of one
		if !isRange && isFrame(before, after) {
			return Named{found[0].latest(reference), found[0].Relative}, true
		}
	}
	return Named{}, false
}

// whole reads what is a date only in a text that has no more than it: on Friday, Friday 14 April, mid April, in Apr.
func (p *parser) whole(i int) (Expression, int, bool) {
	for _, read := range []func(int) (Expression, int, bool){p.weekday, p.third, p.shortMonth} {
		if e, next, ok := read(i); ok && p.alone {
			return e, next, true
		}
	}
	return Expression{}, i, false
}

// weekday reads Friday 14 April, which without a year is in one where that day is a Friday, and after a preposition the
// latest Friday that is over.
func (p *parser) weekday(i int) (Expression, int, bool) {
	day, ok := p.weekdays[p.at(i).word]
	if !ok {
		return Expression{}, i, false
	}
	at := i + 1
	if _, isArticle := p.articles[p.at(at).word]; isArticle && p.joined(at, ",") {
		at++
	}
	if d, next, ok := p.point(at); ok && d.kind == Day && p.joined(at, ",") {
		return p.newExpression(Day, d.year == 0, func(year int) Window {
			for d.year == 0 && (d.span(year).Since.Weekday() != day || !isDate(year, d.number, d.day)) {
				year--
			}
			return soften(d.span(year), Day)
		}), next, true
	}
	if !p.has(p.dayPrepositions, i-1) {
		return Expression{}, i, false
	}
	e, next, ok := p.recent(i, false)
	e.Relative = true
	return e, next, ok
}

// third reads early April, mid May 2023, Ende Juni: ten days, or what is left of the month.
func (p *parser) third(i int) (Expression, int, bool) {
	third, ok := p.thirds[p.at(i).word]
	month, known := p.months[p.at(i+1).word]
	if !ok || !known || third.languages&month.languages == 0 || !p.joined(i+1, "-") {
		return Expression{}, i, false
	}
	year, next := p.yearAfter(i + 2)
	d := point{kind: Month, year: year, number: month.number}
	return p.newExpression(Month, year == 0, func(year int) Window {
		s := d.span(year)
		s.Since = s.Since.AddDate(0, 0, 10*third.number)
		if third.number < 2 {
			s.Until = s.Since.AddDate(0, 0, 10)
		}
		return soften(s, Month)
	}), next, true
}

// shortMonth reads Apr after a preposition of its language. By itself, Jan is a name.
func (p *parser) shortMonth(i int) (Expression, int, bool) {
	month := p.months[p.at(i).word]
	if !month.short || p.prepositions[p.at(i-1).word]&month.languages == 0 || !p.joined(i, "") {
		return Expression{}, i, false
	}
	d := point{kind: Month, number: month.number}
	return p.newExpression(Month, true, func(year int) Window { return soften(d.span(year), Month) }), i + 1, true
}

// typed reads what timebin.ParseSpan does.
func typed(text string, reference time.Time) (Named, error) {
	span, err := timebin.ParseSpan(text, reference)
	after := reference.Truncate(time.Second).Add(time.Second) // windows end on whole seconds
	if counted, _ := timebin.ParseSpan(text, after); span.Until.Equal(reference) && counted.Until.Equal(after) {
		span.Until = after // the last turn is in the time up to it, but not in a day that ends where it begins
	}
	v := readVocabulary()
	isRelative := slices.ContainsFunc(tokenize(text), func(t token) bool {
		_, today := v.daysBack[t.word]
		_, this := v.this[t.word]
		_, last := v.lastBefore[t.word]
		_, past := v.past[t.word]
		return today || this || last || past
	})
	return Named{span, isRelative}, err
}

// saysNoMore reports whether the text before and after a date is what leads to one, or a question that asks for nothing
// but that time.
func saysNoMore(before, after string) bool {
	if isLeading(before, after) {
		return true
	}
	first, rest := tokenize(before), tokenize(after)
	if len(first) > 0 && first[0].word == "de" { // de quoi ai-je parlé
		first = first[1:]
	}
	says := func(t token) bool { return !leading[t.word] && !questionWords[t.word] }
	return len(first) > 0 && questionOpening[first[0].word] && !slices.ContainsFunc(slices.Concat(first[1:], rest), says)
}

// isLeading reports whether the text before and after a date is no more than what leads to one.
func isLeading(before, after string) bool {
	says := func(t token) bool { return !leading[t.word] }
	return len(tokenize(after)) == 0 && !slices.ContainsFunc(tokenize(before), says)
}

var (
	// leading are the words that stand before a date, without opening or closing its window.
	leading = set("in on at during the im am wahrend der die das dem den op tijdens de het en au le la l el los")

	// questionOpening are the words that open a question for anything. Package terms has those of a frame, after which
	// something else is asked for.
	questionOpening = set("what wat was waar woran woruber qu que quoi")

	// questionWords are the words of questions for anything: what did I do, wat heb ik gedaan. One set has those of all
	// languages, since a text of these alone, beside a date, says no more in any of them.
	questionWords = set(`i we you me us did do does doing done was were have had has been talk talked talking speak
		spoke speaking about discuss discussed discussing ask asked asking chat chatted chatting say said work worked working
		up to with happen happened happening going busy
		ik wij jij je heb hebben had deed deden gedaan doen er over gehad gepraat praatte gesproken sprak gevraagd vroeg
		besproken gewerkt werkte mee bezig aan gebeurde gebeurd is
		ich wir habe haben hatte gemacht machte getan tat geredet gefragt gearbeitet los passiert ist war
		j nous ai avons est ce que s passe fait parle demande discute travaille
		he hemos hice hicimos hecho hable hablamos hablado pregunte preguntado trabaje trabajado paso`)
)

// set makes a set of words, as fold writes them.
func set(list string) map[string]bool { return values(map[string]bool{list: true}) }
