package query

import (
	"strings"
)

// Item is a part of a query as it is typed: a word, a phrase, an exclusion or a filter.
type Item struct {
	From, To int    // bytes of the text
	Key      string // of a filter, whatever its value; else ""
	Value    int    // where the value of a filter begins, with its quotation mark
	Stray    string // foo of the word foo:bar, which reads like a filter and is none; else ""
}

// Items returns the items of a text, which must be valid UTF-8, in their order. A key that waits for its value is a
// filter, too.
func Items(text string) []Item {
	var items []Item
	p := parser{rest: text}
	for p.skipBlanks() {
		item := Item{From: len(text) - len(p.rest)}
		after := strings.TrimPrefix(p.rest, "-")
		field, value, isFilter := cutKey(after)
		if isFilter && !isEscaped(p.rest) {
			item.Key, item.Value = field.Key, len(text)-len(value)
			p.rest = value
			p.value()
		} else {
			_ = p.item() // only filters fail
		}
		item.To = len(text) - len(p.rest)
		if key, waits := strings.CutSuffix(strings.TrimPrefix(text[item.From:item.To], "-"), ":"); waits {
			if field, ok := FieldOf(key); ok {
				item.Key, item.Value = field.Key, item.To
			}
		}
		if item.Key == "" {
			item.Stray = strayKey(text[item.From:item.To])
		}
		items = append(items, item)
	}
	return items
}

// strayKey returns the key of a word that reads like a filter, "" for any other. Keys are in lower case.
func strayKey(word string) string {
	key, ok := keyOf(strings.TrimPrefix(word, "-"))
	foreign := func(r rune) bool { return r != '-' && (r < 'a' || r > 'z') }
	if !ok || key == "" || strings.ContainsFunc(key, foreign) {
		return ""
	}
	return key
}
