package search

import (
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"lens/retrieval/query"
	"lens/tui/querybar"
	"lens/tui/theme"
	"lens/tui/ui"
	"lens/tui/zoom"
)

// Completion of keys and values in the bar, from the table of filters. The footer lists the candidates while the
// cursor is behind something that begins like one; tab takes the first, and again the next.

// completion is what tab can make of the item at the cursor.
type completion struct {
	filter     string   // whose value it is; "": a key
	from       int      // byte of the bar's text where candidates begin
	candidates []string // as they are typed
	doc        string   // what the filter does
	chosen     int      // the candidate that is in the bar; -1: none yet
}

// leastKey is the least length of a word that is completed to a key. Shorter ones begin too many words.
const leastKey = 2

// mostCandidates bounds how many values are offered.
const mostCandidates = 31

// completer finds completions.
type completer struct {
	results    Results
	archive    zoom.Span
	vocabulary vocabulary
	taking     taking
}

// taking is a completion whose candidates tab takes in turn, as long as nothing else changes the bar.
type taking struct {
	completion
	text   string
	cursor int
}

func newCompleter(c *ui.Context, opts BarOptions) completer {
	return completer{results: opts.Results, vocabulary: newVocabulary(c, opts.Pause)}
}

// completion returns the candidates at the cursor; none if it is not behind an item that can become a filter.
func (b *Bar) completion() completion {
	if !b.focused {
		return completion{}
	}
	return b.completer.at(b.line.Text(), b.line.Cursor())
}

func (c *completer) at(text string, cursor int) completion {
	if cursor < len(text) && text[cursor] != ' ' {
		return completion{}
	}
	if t := c.taking; t.text == text && t.cursor == cursor && t.text != "" {
		return t.completion
	}
	for _, item := range query.Items(text) {
		switch {
		case item.To != cursor:
		case item.Key != "":
			field, _ := query.FieldOf(item.Key)
			return completion{field.Key, item.Value, c.candidates(field, text[item.Value:cursor]), field.Doc, -1}
		default:
			return keysFor(item.From, text[item.From:cursor])
		}
	}
	return completion{}
}

// keysFor completes a word to keys.
func keysFor(from int, word string) completion {
	not := strings.HasPrefix(word, "-")
	c := completion{from: from, chosen: -1}
	if word = strings.TrimPrefix(word, "-"); not {
		c.from++
	}
	if len(word) < leastKey {
		return c
	}
	for _, field := range query.Filters {
		if strings.HasPrefix(field.Key, word) && (field.Negatable || !not) {
			c.candidates = append(c.candidates, field.Key+":")
			if c.doc == "" {
				c.doc = field.Doc
			}
		}
	}
	return c
}

// candidates returns the values of a filter that go on like the typed one, as they are typed. The typed one itself is
// no candidate. One of a few names that is complete has none, though another may begin like it.
func (c *completer) candidates(field query.Field, typed string) []string {
	if field.Kind == query.Choice && slices.Contains(field.Values, typed) {
		return nil
	}
	known, completed := c.known(field, typed)
	begin := strings.ToLower(unquoted(typed))
	var all []string
	for _, value := range known {
		if value = query.QuoteValue(value); len(all) < mostCandidates && value != typed &&
			(completed || strings.HasPrefix(strings.ToLower(unquoted(value)), begin)) {
			all = append(all, value)
		}
	}
	return all
}

// known returns the values of a filter, or with completed those that go on like the typed one. Until the archive has
// been asked, titles are those of the results, and names all that there are.
func (c *completer) known(field query.Field, typed string) (known []string, completed bool) {
	if key, ok := valuesOf(field.Key, typed); ok {
		known, ok = c.vocabulary.known.Get(key)
		switch {
		case !ok && field.Key == "title":
			return c.results.Titles(), false
		case len(known) == 0 && field.Kind == query.Choice:
			return field.Values, false
		}
		return known, field.Key == "title"
	}
	switch {
	case field.Kind == query.Time:
		return c.times(typed), false
	case field.Kind == query.Switch:
		return []string{"yes", "no"}, false
	case field.Key == "conversation":
		return c.conversations(), false
	}
	return field.Values, false
}

// times returns the years of the archive, or what a typed year or month consists of, and spans that end today.
func (c *completer) times(typed string) []string {
	var all []string
	layout, from, years, months, days := "2006", time.Unix(c.archive.From, 0).UTC(), 1, 0, 0
	to := time.Unix(c.archive.To, 0).UTC()
	if year, err := time.Parse("2006", typed[:min(len(typed), 4)]); err == nil {
		layout, from, to, years, months = "2006-01", year, year.AddDate(1, 0, 0), 0, 1
	}
	if month, err := time.Parse("2006-01", typed[:min(len(typed), 7)]); err == nil {
		layout, from, to, months, days = time.DateOnly, month, month.AddDate(0, 1, 0), 0, 1
	}
	for t := from.AddDate(0, 0, 1-from.Day()); t.Before(to); t = t.AddDate(years, months, days) {
		all = append(all, t.Format(layout))
	}
	return append(all, "today", "yesterday", "last 7d", "last 90d")
}

// conversations returns the conversation under the cursor of the list.
func (c *completer) conversations() []string {
	if id := c.results.Conversation(); id != uuid.Nil {
		return []string{id.String()}
	}
	return nil
}

// Complete takes the next candidate for the item at the cursor, for step -1 the previous one. It reports whether there
// is one.
func (b *Bar) Complete(step int) bool {
	c := b.completion()
	n := len(c.candidates)
	if n == 0 {
		return false
	}
	switch {
	case c.chosen >= 0:
		c.chosen = (c.chosen + step + n) % n
	case step < 0:
		c.chosen = n - 1
	default:
		c.chosen = 0
	}
	value := c.candidates[c.chosen]
	goesOn := strings.HasSuffix(value, ":") // a key: next come its values
	if n == 1 && !goesOn {
		value += " "
	}
	b.edit(func(line *querybar.Bar) { line.Replace(c.from, value) })
	if b.completer.taking = (taking{}); n > 1 && !goesOn {
		b.completer.taking = taking{c, b.line.Text(), b.line.Cursor()}
	}
	return true
}

// candidatesLine draws the candidates for the footer, from the chosen one on, and what the filter does; "" for none.
func (b *Bar) candidatesLine(width int) string {
	c := b.completion()
	if len(c.candidates) == 0 && c.doc == "" {
		return ""
	}
	line := ""
	if len(c.candidates) > 0 {
		line = b.ui.Theme.Key.Render(b.ui.Key("query.next-pane")) + " "
	}
	first := max(0, c.chosen)
	for i := range c.candidates {
		value := c.candidates[(first+i)%len(c.candidates)]
		shown := ui.Line(value)
		if i == 0 && c.chosen >= 0 {
			shown = b.ui.Theme.Cursor.Render(shown)
		}
		next := line + shown + "  "
		if theme.Width(next) > width && i > 0 {
			return line
		}
		line = next
	}
	if doc := b.ui.Theme.Dim.Render(ui.Line(c.doc)); theme.Width(line)+theme.Width(doc) <= width {
		return line + doc
	}
	return line
}
