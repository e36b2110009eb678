package query

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Parse reads a query as people type it. Relative times count back from now.
//
//	docker compose          words, ranked
//	"docker compose"        a phrase: these words in this order; any of " “ ” „ opens and closes it, doubled it is meant
//	-django  -"rest api"    no turn with this word or phrase; the hyphen stands before a letter or a quote
//	since:2023-05           a filter of the table Filters; the value may be quoted: since:"last 90d"
//	-source:claude          leaves out what the filter finds, where that makes sense
//	\-django  \"  \since:x  a word that would otherwise be special
//
// All of these are separated by blanks; within a word nothing is special, so std::string, 12:30, C-3PO and
// https://example.org are words, and so is a key that is not in the table. notices are sentences about words that
// may have been meant as filters. Errors: errs.Invalid for a filter with a wrong value; its message names the
// filter; errs.TooLarge for a text of more than MaxBytes.
func Parse(text string, now time.Time) (q Query, notices []string, err error) {
	if len(text) > MaxBytes {
		return Query{}, nil, errTooLong
	}
	p := parser{rest: strings.ToValidUTF8(text, "\uFFFD"), now: now}
	for p.skipBlanks() {
		if err := p.item(); err != nil {
			return Query{}, nil, err
		}
	}
	p.query.Text = strings.Join(p.words, " ")
	return p.query, p.notices, nil
}

// parser reads one item after the other from rest.
type parser struct {
	rest    string
	now     time.Time
	query   Query
	words   []string
	given   []string // keys of filters that were read
	notices []string
}

// skipBlanks reports whether there is another item.
func (p *parser) skipBlanks() bool {
	p.rest = strings.TrimLeftFunc(p.rest, unicode.IsSpace)
	return p.rest != ""
}

func (p *parser) item() error {
	text := p.rest
	if isEscaped(text) {
		p.rest = text[1:]
		p.words = append(p.words, p.word())
		return nil
	}
	after, not := strings.CutPrefix(text, "-")
	if field, value, ok := cutKey(after); ok {
		p.rest = value
		return p.filter(field, not)
	}
	switch {
	case quoteAt(after) > 0:
		p.rest = after
		p.exact(p.quoted(), not)
	case not && startsWithLetter(after):
		p.rest = after
		word := p.word()
		p.exact(word, true)
		p.notice(word)
	default:
		word := p.word()
		p.words = append(p.words, word)
		p.notice(word)
	}
	return nil
}

// isSpecial reports whether text begins with more than a word.
func isSpecial(text string) bool {
	after, not := strings.CutPrefix(text, "-")
	_, _, isKey := cutKey(after)
	return quoteAt(after) > 0 || isKey || not && startsWithLetter(after)
}

// isEscaped reports whether text begins with backslashes before something special. The first of them is dropped.
func isEscaped(text string) bool {
	return strings.HasPrefix(text, `\`) && isSpecial(strings.TrimLeft(text, `\`))
}

func startsWithLetter(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLetter(r)
}

// quoteAt returns the length of a quotation mark at the start of text, 0 for none.
func quoteAt(text string) int {
	for _, mark := range []string{`"`, "“", "”", "„"} {
		if strings.HasPrefix(text, mark) {
			return len(mark)
		}
	}
	return 0
}

// cutKey splits a filter into its row and the text from its value on. A key is letters and hyphens and a colon before
// anything but a blank, a colon or a slash.
func cutKey(text string) (field Field, value string, ok bool) {
	key, value, found := strings.Cut(text, ":")
	if !found || value == "" || strings.HasPrefix(value, ":") || strings.HasPrefix(value, "/") {
		return field, "", false
	}
	if r, _ := utf8.DecodeRuneInString(value); unicode.IsSpace(r) {
		return field, "", false
	}
	field, ok = FieldOf(key)
	return field, value, ok
}

// word takes the text up to a blank.
func (p *parser) word() string {
	end := strings.IndexFunc(p.rest, unicode.IsSpace)
	if end < 0 {
		end = len(p.rest)
	}
	word := p.rest[:end]
	p.rest = p.rest[end:]
	return word
}

// quoted takes the text between quotation marks; without a second mark, all of the rest. So a phrase counts while it
// is typed.
func (p *parser) quoted() string {
	var inside strings.Builder
	p.rest = p.rest[quoteAt(p.rest):]
	for p.rest != "" {
		size := quoteAt(p.rest)
		if size == 0 {
			_, size = utf8.DecodeRuneInString(p.rest)
			inside.WriteString(p.rest[:size])
			p.rest = p.rest[size:]
			continue
		}
		mark := p.rest[:size]
		p.rest = p.rest[size:]
		if !strings.HasPrefix(p.rest, mark) {
			break
		}
		inside.WriteString(mark)
		p.rest = p.rest[size:]
	}
	return inside.String()
}

// exact adds a phrase or an exclusion. One without a letter or a digit says nothing and is dropped.
func (p *parser) exact(text string, not bool) {
	list := &p.query.Phrases
	if not {
		list = &p.query.Without
	}
	text = strings.Join(strings.Fields(text), " ")
	if hasWord(text) && !slices.Contains(*list, text) {
		*list = append(*list, text)
	}
}

func (p *parser) filter(field Field, not bool) error {
	if slices.Contains(p.given, field.Key) && !field.Many {
		return wrong(field.Key+": is given twice", "remove one of them")
	}
	p.given = append(p.given, field.Key)
	value := p.value()
	return field.named(field.Set(&p.query.Filter, value, not, p.now), value)
}

// value takes the value of a filter.
func (p *parser) value() string {
	if quoteAt(p.rest) > 0 {
		return p.quoted()
	}
	return p.word()
}

// notice remembers a word that is nearly a filter.
func (p *parser) notice(word string) {
	key, ok := keyOf(word)
	if !ok {
		return
	}
	for _, field := range Filters {
		if nearlyEqual(strings.ToLower(key), field.Key) {
			p.notices = append(p.notices, "“"+key+":” is not a filter; did you mean “"+field.Key+":”?")
			return
		}
	}
}

// keyOf returns what a word has for the key of a filter; false where its colon is not one of a filter.
func keyOf(word string) (key string, ok bool) {
	key, value, found := strings.Cut(word, ":")
	return key, found && value != "" && value[0] != ':' && value[0] != '/'
}

// nearlyEqual reports whether a and b differ by at most one letter that is missing, added, changed or swapped with the
// next; short words must be equal.
func nearlyEqual(a, b string) bool {
	if a == b {
		return true
	}
	if len(b) < 4 || len(a) < len(b)-1 || len(a) > len(b)+1 {
		return false
	}
	from := 0
	for from < min(len(a), len(b)) && a[from] == b[from] {
		from++
	}
	a, b = a[from:], b[from:]
	switch {
	case len(a) > len(b):
		return a[1:] == b
	case len(a) < len(b):
		return a == b[1:]
	}
	return a[1:] == b[1:] || len(a) > 1 && a[0] == b[1] && a[1] == b[0] && a[2:] == b[2:]
}
