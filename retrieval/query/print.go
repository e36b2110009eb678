package query

import (
	"strings"
	"unicode"
)

// String returns what a person would type: words, phrases, exclusions and filters, which Parse reads back. It leaves
// out what is not typed in a query: Like, Mode and the numbers of matches and bins.
func (q Query) String() string {
	var items []string
	for _, word := range strings.Fields(q.Text) {
		if isSpecial(word) || isEscaped(word) {
			word = `\` + word
		}
		items = append(items, word)
	}
	for _, phrase := range q.Phrases {
		items = append(items, quote(phrase))
	}
	for _, text := range q.Without {
		items = append(items, "-"+quoteUnlessWord(text))
	}
	return strings.Join(append(items, q.Filter.Strings()...), " ")
}

// Strings returns the filters as they are typed, one item each: for chips.
func (f Filter) Strings() []string {
	var items []string
	for _, field := range Filters {
		for _, t := range field.terms(&f) {
			items = append(items, field.item(t))
		}
	}
	return items
}

// item prints a filter as it is typed.
func (d Field) item(t term) string {
	item := d.Key + ":" + QuoteValue(t.value)
	if t.not {
		return "-" + item
	}
	return item
}

func quote(text string) string {
	return `"` + strings.NewReplacer(`"`, `""`, "“", "““", "”", "””", "„", "„„").Replace(text) + `"`
}

// quoteUnlessWord leaves a plain word as it is.
func quoteUnlessWord(text string) string {
	plain := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r) }
	if startsWithLetter(text) && strings.TrimFunc(text, plain) == "" {
		return text
	}
	return quote(text)
}

// QuoteValue quotes a value of a filter that would otherwise end early or be read as quoted.
func QuoteValue(value string) string {
	if strings.ContainsFunc(value, unicode.IsSpace) || quoteAt(value) > 0 || strings.HasPrefix(value, ":") ||
		strings.HasPrefix(value, "/") {
		return quote(value)
	}
	return value
}
