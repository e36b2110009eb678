package tui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/uuid"

	"lens/retrieval/query"
	"lens/tui/search"
	"lens/tui/theme"
	"lens/tui/ui"
)

// Completion of keys and values in the query bar, from the table of filters. The footer lists the candidates while the
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

// completion returns the candidates at the cursor; none if it is not behind an item that can become a filter.
func (m *model) completion() completion {
	text, cursor := m.bar.Text(), m.bar.Cursor()
	if m.focus != paneQuery || cursor < len(text) && text[cursor] != ' ' {
		return completion{}
	}
	if c := m.completing; c.text == text && c.cursor == cursor && c.text != "" {
		return c.completion
	}
	for _, item := range query.Items(text) {
		switch {
		case item.To != cursor:
		case item.Key != "":
			field, _ := query.FieldOf(item.Key)
			return completion{field.Key, item.Value, m.candidates(field, text[item.Value:cursor]), field.Doc, -1}
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
// no candidate.
func (m *model) candidates(field query.Field, typed string) []string {
	known, completed := m.known(field, typed)
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
// been asked for titles, they are those of the results.
func (m *model) known(field query.Field, typed string) (known []string, completed bool) {
	if key, ok := valuesOf(field.Key, typed); ok {
		known, ok = m.values.Get(key)
		if field.Key == "title" && !ok {
			return m.finder.Titles(), false
		}
		return known, field.Key == "title"
	}
	switch {
	case field.Kind == query.Time:
		return m.times(typed), false
	case field.Kind == query.Switch:
		return []string{"yes", "no"}, false
	case field.Key == "conversation":
		return m.conversations(), false
	}
	return field.Values, false
}

// times returns the years of the archive, or what a typed year or month consists of, and spans that end today.
func (m *model) times(typed string) []string {
	var all []string
	layout, from, years, months, days := "2006", at(m.timeline.Zoom().All.From), 1, 0, 0
	to := at(m.timeline.Zoom().All.To)
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
func (m *model) conversations() []string {
	if id := m.finder.Conversation(m.followed); id != uuid.Nil {
		return []string{id.String()}
	}
	return nil
}

// completing is a completion whose candidates tab takes in turn, as long as nothing else changes the bar.
type completing struct {
	completion
	text   string
	cursor int
}

// completeOr takes the next candidate, for step -1 the previous one. Without one it does otherwise.
func completeOr(step int, otherwise func(*model) tea.Cmd) func(*model) tea.Cmd {
	return func(m *model) tea.Cmd {
		c := m.completion()
		n := len(c.candidates)
		if n == 0 {
			return otherwise(m)
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
		edit(func(b *bar) { b.Replace(c.from, value) })(m)
		if m.completing = (completing{}); n > 1 && !goesOn {
			m.completing = completing{c, m.bar.Text(), m.bar.Cursor()}
		}
		return nil
	}
}

// completionLine draws the candidates for the footer, from the chosen one on, and what the filter does; "" for none.
func (m *model) completionLine(width int) string {
	c := m.completion()
	if len(c.candidates) == 0 && c.doc == "" {
		return ""
	}
	line := ""
	if len(c.candidates) > 0 {
		line = m.ui.Theme.Accent.Render("tab") + " "
	}
	first := max(0, c.chosen)
	for i := range c.candidates {
		value := c.candidates[(first+i)%len(c.candidates)]
		shown := ui.Line(value)
		if i == 0 && c.chosen >= 0 {
			shown = m.ui.Theme.Cursor.Render(shown)
		}
		next := line + shown + "  "
		if theme.Width(next) > width && i > 0 {
			return line
		}
		line = next
	}
	if doc := m.ui.Theme.Dim.Render(ui.Line(c.doc)); theme.Width(line)+theme.Width(doc) <= width {
		return line + doc
	}
	return line
}

// complaint says what is wrong with the typed query. It waits while the value at the cursor can still become right.
func (m *model) complaint() search.Remark {
	c := m.completion()
	if len(c.candidates) == 0 || c.from == 0 {
		return m.draft.complaint
	}
	text := m.bar.Text()
	for _, item := range query.Items(text) {
		if item.Key != "" && item.Value == c.from {
			if _, _, err := query.Parse(text[item.From:item.To], m.ui.Now()); err != nil {
				return search.Remark{}
			}
		}
	}
	return m.draft.complaint
}

// complaintInBar returns as much of that as there is room for beside the query.
func (m *model) complaintInBar(room int) string {
	if m.complaint().Quiet {
		return ""
	}
	for _, text := range []string{m.complaint().Full(), m.complaint().Message} {
		if theme.Width(text) <= room {
			return text
		}
	}
	if m.focus != paneQuery { // nothing else says it then
		return ansi.Truncate(m.complaint().Message, room, m.ui.Theme.Glyphs.Ellipsis)
	}
	return ""
}

// barLine returns what the footer says about the text in the bar: what the bar has no room to say, or the candidates.
func (m *model) barLine(width int) string {
	complaint := m.complaint()
	if complaint.Quiet {
		if len(m.completion().candidates) > 0 {
			return m.completionLine(width)
		}
		return m.ui.Theme.Dim.Render(ansi.Truncate(complaint.Full(), width, m.ui.Theme.Glyphs.Ellipsis))
	}
	switch m.complaintInBar(m.bar.Room(m.width, true)) {
	case complaint.Full():
		return m.completionLine(width)
	case complaint.Message:
		return m.ui.Theme.Dim.Render(complaint.Hint)
	}
	return m.ui.Theme.Warn.Render(complaint.Within(width))
}

// valueKey names values of the archive: the models, the tags, or the titles that go on as one begins.
type valueKey struct{ filter, begun string }

// valuesMsg delivers values. An error leaves them unknown.
type valuesMsg struct {
	gen    int
	key    valueKey
	values []string
	err    error
}

// valuesOf returns what to ask the archive for to complete a filter's value; false for nothing.
func valuesOf(filter, typed string) (valueKey, bool) {
	switch filter {
	case "model", "tag":
		return valueKey{filter: filter}, true
	case "title":
		return valueKey{filter, unquoted(typed)}, true
	}
	return valueKey{}, false
}

// unquoted returns a typed value without the quotation mark that it begins with.
func unquoted(typed string) string { return strings.TrimLeft(typed, "\"“”„") }

// chaseValues asks for the values of the filter at the cursor.
func (m *model) chaseValues() tea.Cmd {
	c := m.completion()
	if c.filter == "" || c.chosen >= 0 {
		return nil
	}
	key, ok := valuesOf(c.filter, m.bar.Text()[c.from:m.bar.Cursor()])
	if _, known := m.values.Get(key); !ok || known {
		return nil
	}
	if ctx, gen, ok := m.lanes.values.Ask(m.ui.Ctx, key, m.ui.Now()); ok {
		return m.valuesCmd(ctx, gen, key)
	}
	return nil
}

func (msg valuesMsg) take(m *model) tea.Cmd {
	if m.lanes.values.Accept(msg.gen) && msg.err == nil {
		for i := range msg.values {
			msg.values[i] = ui.Line(msg.values[i])
		}
		m.values.Put(msg.key, msg.values)
	}
	return nil
}
