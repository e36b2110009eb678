package retrieval

import (
	"context"
	"maps"
	"slices"

	"lens/retrieval/rank"
	"lens/store/terms"
)

// stems are the words of a query in each language, other than English, that the archive has.
type stems []languageStems

// languageStems are the stems of the words of a query in one language.
type languageStems struct {
	*languageRows
	of map[string][]string // the facts of turns with a stem of a word, by the word's term
}

// languageRows are the rows of an archive with a text in a language that is stemmed.
type languageRows struct {
	language terms.Language
	rows     rank.Rows
}

// otherForm is by how much another form of a word counts less than the word: titles of real chats in Dutch find their
// own chats as before with .3 to .7, and less often with 0.
const otherForm = .5

// languages returns where the archive has which languages; none for one that was indexed before Lens knew them.
func (w *wordIndex) languages(ctx context.Context, a *snapshot) ([]languageRows, error) {
	if known := a.languages.Load(); known != nil {
		return *known, nil
	}
	all := terms.Stemmed()
	facts := make([]string, len(all))
	for i, l := range all {
		facts[i] = l.Fact()
	}
	lists, err := w.lists(ctx, a, facts)
	if err != nil {
		return nil, err
	}
	found := []languageRows{}
	for i, list := range lists {
		if len(list.Rows) > 0 {
			found = append(found, languageRows{all[i], rank.Union(a.Len(), lists[i:i+1])})
		}
	}
	a.languages.Store(&found)
	return found, nil
}

// stems returns the stems of words, which are terms of texts.
func (w *wordIndex) stems(ctx context.Context, a *snapshot, words, texts []string) (stems, error) {
	if len(words) == 0 {
		return nil, nil
	}
	found, err := w.languages(ctx, a)
	all := make(stems, len(found))
	for i := range found {
		of := make(map[string][]string)
		for _, text := range texts {
			for term, facts := range terms.Stems(text, found[i].language) {
				of[term] = slices.Compact(slices.Sorted(slices.Values(slices.Concat(of[term], facts))))
			}
		}
		maps.DeleteFunc(of, func(term string, _ []string) bool { return !slices.Contains(words, term) })
		all[i] = languageStems{&found[i], of}
	}
	return all, err
}

// wordLists says where words occur.
type wordLists struct {
	forms  []rank.PostingList // of each word: where it occurs in any form
	scored []rank.PostingList // of each word as it is, then of other forms of some, which count less: for package rank
	by     stems              // of those other forms
}

// worded returns the rows with one of the words, in any form.
func (l *wordLists) worded(n int) rank.Rows { return rank.Union(n, l.scored) }

// wordLists returns where words occur. Another form of a word counts only in the languages that most turns with the
// word itself are in: a word of English texts is not one of another language that is spelled alike.
func (w *wordIndex) wordLists(ctx context.Context, a *snapshot, words []string, by stems) (l wordLists, err error) {
	facts := by.facts()
	lists, err := w.lists(ctx, a, slices.Concat(words, facts))
	if err != nil {
		return l, err
	}
	l.forms, l.scored = slices.Clone(lists[:len(words)]), lists[:len(words):len(words)]
	for _, in := range by {
		l.by = append(l.by, languageStems{in.languageRows, make(map[string][]string)})
	}
	for i, word := range words {
		var other rank.PostingList
		for j, in := range by {
			if len(in.of[word]) == 0 || !mostly(lists[i].Rows, in.rows) {
				continue
			}
			l.by[j].of[word] = in.of[word]
			for _, fact := range in.of[word] {
				at, _ := slices.BinarySearch(facts, fact)
				other = greatest(other, lists[len(words)+at])
			}
		}
		if other = without(other, lists[i].Rows); len(other.Rows) > 0 {
			l.forms[i] = greatest(lists[i], other)
			other.Discount = otherForm
			l.scored = append(l.scored, other)
		}
	}
	return l, nil
}

// mostly reports whether at least half of some rows are in others.
func mostly(some []int32, others rank.Rows) bool {
	lacking := 0 // so far
	for _, row := range some {
		if !others.Has(row) {
			if lacking++; 2*lacking > len(some) {
				return false
			}
		}
	}
	return true
}

// greatest returns the rows of two lists, with the greater count of a row that is in both.
func greatest(x, y rank.PostingList) rank.PostingList {
	switch {
	case len(x.Rows) == 0:
		return y
	case len(y.Rows) == 0:
		return x
	}
	n := len(x.Rows) + len(y.Rows)
	all := rank.PostingList{Rows: make([]int32, 0, n), Counts: make([]uint32, 0, n)}
	for i, j := 0, 0; i < len(x.Rows) || j < len(y.Rows); {
		switch {
		case j == len(y.Rows) || i < len(x.Rows) && x.Rows[i] < y.Rows[j]:
			all.Rows, all.Counts = append(all.Rows, x.Rows[i]), append(all.Counts, x.Counts[i])
			i++
		case i == len(x.Rows) || y.Rows[j] < x.Rows[i]:
			all.Rows, all.Counts = append(all.Rows, y.Rows[j]), append(all.Counts, y.Counts[j])
			j++
		default:
			all.Rows, all.Counts = append(all.Rows, x.Rows[i]), append(all.Counts, max(x.Counts[i], y.Counts[j]))
			i, j = i+1, j+1
		}
	}
	return all
}

// without returns what a list has in other rows than some, which ascend.
func without(list rank.PostingList, some []int32) rank.PostingList {
	var rest rank.PostingList
	for i, row := range list.Rows {
		some = some[rowsBefore(some, row):]
		if len(some) == 0 || some[0] != row {
			rest.Rows, rest.Counts = append(rest.Rows, row), append(rest.Counts, list.Counts[i])
		}
	}
	return rest
}

// facts returns the facts of all stems, each once, in ascending order.
func (s stems) facts() []string {
	var all []string
	for _, in := range s {
		for _, facts := range in.of {
			all = append(all, facts...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// each calls use with the terms of the query of which a text has another form.
func (s stems) each(analyzer *terms.Analyzer, text string, use func(term string)) {
	for _, in := range s {
		if len(in.of) == 0 {
			continue
		}
		has := analyzer.StemsIn(in.language, text)
		for term, facts := range in.of {
			if slices.ContainsFunc(facts, func(fact string) bool { return slices.Contains(has, fact) }) {
				use(term)
			}
		}
	}
}

// in reports whether a text has a word of the query in another form.
func (s stems) in(analyzer *terms.Analyzer, text string) bool {
	found := false
	s.each(analyzer, text, func(string) { found = true })
	return found
}
