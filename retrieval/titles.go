package retrieval

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"lens/retrieval/rank"
	"lens/store"
	"lens/store/terms"
)

// TitleMatch is a conversation with all words of a query in its title, or with the rarest: see Peek.TitleWord.
type TitleMatch struct {
	Conversation uuid.UUID `json:"conversation_id"`
	Title        string    `json:"title"`
	FirstTurn    uuid.UUID `json:"first_turn_id"` // the first eligible one in order of time

	// Time is that of the first turn, null if it is not known.
	Time *time.Time `json:"time"`
}

// shownTitles is how many titles a Peek has at most.
const shownTitles = 5

// Where no title has all words of a query, those with its rarest are worth a look if they are few: a conversation about
// job interviews is titled "Interview Struggles".
const (
	fewTitles  = 6 // of the archive, that have the word
	shownOfFew = 2
)

// titleMatches returns the first conversations whose titles match a search, the shortest titles first, then the latest,
// and how many there are. A title has every word and phrase, none of the exclusions, and a turn that passes the filter;
// what a role or a similarity says does not matter. Where none has, few may have the rarest word, as the
// query has it: those that no match is of come first.
// The first call after a commit reads all titles.
func (e *Engine) titleMatches(
	ctx context.Context, f *searchResult,
) (first []TitleMatch, count int, of string, err error) {
	if len(f.words) == 0 || f.like != uuid.Nil {
		return []TitleMatch{}, 0, "", nil
	}
	titles, err := e.titles.load(ctx, f.snapshot)
	if err != nil {
		return nil, 0, "", err
	}
	all := titles.match(f, f.words)
	if len(all) > 0 || len(f.words) < 2 || len(f.asked.Phrases) > 0 {
		return titles.list(f, all[:min(len(all), shownTitles)]), len(all), "", nil
	}
	word, err := e.words.rarest(ctx, f, titles)
	if err != nil || len(titles.with[word]) > fewTitles {
		return []TitleMatch{}, 0, "", err
	}
	if all = titles.match(f, []string{word}); len(all) == 0 {
		return []TitleMatch{}, 0, "", nil
	}
	listed := make(map[int32]int)
	for _, hit := range f.hits {
		listed[f.Conversation[hit.Row]] = 1
	}
	slices.SortStableFunc(all, func(x, y titled) int { // the word is more of a shorter one
		return cmp.Or(cmp.Compare(listed[x.conversation], listed[y.conversation]),
			cmp.Compare(len(titles.text[x.conversation]), len(titles.text[y.conversation])))
	})
	count, of = len(all), strings.Join(written(f.query, []string{word}), " ")
	seen := make(map[string]bool)
	all = slices.DeleteFunc(all, func(x titled) bool {
		title := titles.text[x.conversation]
		again := seen[title]
		seen[title] = true
		return again
	})
	return titles.list(f, all[:min(len(all), shownOfFew)]), count, of, nil
}

// rarest returns the word of a query, but for its dates, that the fewest turns have. One that neither turns nor titles
// have is misspelled, or is not spoken of; "" if there is no other.
func (w *wordIndex) rarest(ctx context.Context, f *searchResult, titles *titles) (rarest string, err error) {
	words, fewest := f.topic(), 0
	lists, err := w.lists(ctx, f.snapshot, words)
	for i := range lists {
		n := len(lists[i].Rows)
		if isKnown := n > 0 || len(titles.with[words[i]]) > 0; isKnown && (rarest == "" || n < fewest) {
			rarest, fewest = words[i], n
		}
	}
	return rarest, err
}

// titles are the titles of all conversations with a turn, by index in the catalog.
type titles struct {
	text   []string
	length []int              // in terms
	with   map[string][]int32 // by term: the conversations with it, ascending
	rows   [][]int32          // of each conversation, ascending
}

// titleIndex holds the titles of one version of the archive.
type titleIndex struct {
	source Source

	mu      sync.Mutex
	version int64
	titles  *titles
}

// load returns the titles of a snapshot. It reads them all where it has those of another version.
func (x *titleIndex) load(ctx context.Context, a *snapshot) (*titles, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.titles != nil && x.version == a.Version {
		return x.titles, nil
	}
	conversations, err := x.source.Conversations(ctx, a.Catalog.Conversations)
	if err != nil {
		return nil, err
	}
	n := len(conversations)
	t := &titles{text: make([]string, n), length: make([]int, n), with: make(map[string][]int32), rows: make([][]int32, n)}
	var analyzer terms.Analyzer
	for i, c := range conversations {
		words := analyzer.Query(c.Title)
		t.text[i], t.length[i] = c.Title, len(words)
		for _, word := range words {
			t.with[word] = append(t.with[word], int32(i))
		}
	}
	for row, c := range a.Conversation {
		t.rows[c] = append(t.rows[c], int32(row))
	}
	x.version, x.titles = a.Version, t
	return t, nil
}

// withAll returns the conversations whose titles have all words, which are terms; none for no words.
func (t *titles) withAll(words []string) []int32 {
	lists := make([]rank.PostingList, len(words))
	for i, word := range words {
		lists[i].Rows = t.with[word]
	}
	return intersectAll(lists)
}

// functionWords returns the terms that stand for function words in most titles that have them: the index knows für and
// fur as the same term, and only how it is written tells which.
func (t *titles) functionWords() map[string]bool {
	var analyzer terms.Analyzer
	counts, last := make(map[string]int), make(map[string]int) // by term: titles with it, and the last of them from 1
	for c, text := range t.text {
		for from, to := range terms.Tokens(text) {
			if !terms.IsFunctionWord(text[from:to]) {
				continue
			}
			for _, term := range analyzer.Query(text[from:to]) {
				if last[term] != c+1 {
					counts[term]++
				}
				last[term] = c + 1
			}
		}
	}
	common := make(map[string]bool)
	for term, n := range counts {
		if 2*n > len(t.with[term]) {
			common[term] = true
		}
	}
	return common
}

// having returns which conversations have the words of a filter in their titles. Common words, which the terms of
// a title leave out, must follow each other as in the filter.
func (t *titles) having(title string) []bool {
	has := make([]bool, len(t.text))
	phrase := terms.NewPhrase(title)
	if len(terms.Required(title)) == 0 {
		for c, text := range t.text {
			has[c] = phrase.In(text)
		}
		return has
	}
	for _, c := range t.withAll(terms.Query(title)) {
		has[c] = true
	}
	return has
}

// titled is a conversation whose title matches, with its first and its last eligible row.
type titled struct{ conversation, first, last int32 }

// match returns the conversations with an eligible row whose titles have words and match the request but for its other
// ones, in the order of titleMatches.
func (t *titles) match(f *searchResult, words []string) (all []titled) {
	holds, lacks := phrasesOf(f.asked.Phrases), phrasesOf(f.asked.Without)
	for _, c := range t.withAll(words) {
		in := func(p *terms.Phrase) bool { return p.In(t.text[c]) }
		if slices.ContainsFunc(holds, func(p *terms.Phrase) bool { return !in(p) }) || slices.ContainsFunc(lacks, in) {
			continue
		}
		if first, last, ok := t.span(f, c); ok {
			all = append(all, titled{c, first, last})
		}
	}
	slices.SortFunc(all, func(x, y titled) int {
		return cmp.Or(cmp.Compare(t.length[x.conversation], t.length[y.conversation]), cmp.Compare(y.last, x.last))
	})
	return all
}

// list describes conversations.
func (t *titles) list(f *searchResult, of []titled) []TitleMatch {
	all := make([]TitleMatch, len(of))
	for i, x := range of {
		c := x.conversation
		all[i] = TitleMatch{f.Conversations[c], t.text[c], f.ID[x.first], f.timeOf(int(x.first))}
	}
	return all
}

// complete returns the titles that CompleteTitle describes.
func (t *titles) complete(c *store.Catalog, begun string, limit int) []string {
	type candidate struct {
		title   string
		inside  int   // 0: the title begins so
		lastRow int32 // of those with a time
	}
	var all []candidate
	known := map[string]bool{"": true}
	wanted, words := spaced(nil, begun), []byte(nil)
	for conversation, title := range t.text {
		words = spaced(words[:0], title)
		at := bytes.Index(words, wanted)
		if at < 0 {
			continue
		}
		last, dated := int32(-1), rowsBefore(t.rows[conversation], int32(c.Dated))
		if dated > 0 {
			last = t.rows[conversation][dated-1]
		}
		all = append(all, candidate{title, min(at, 1), last})
	}
	slices.SortFunc(all, func(x, y candidate) int {
		return cmp.Or(cmp.Compare(x.inside, y.inside), cmp.Compare(y.lastRow, x.lastRow))
	})
	var found []string
	for _, x := range all {
		if !known[x.title] && len(found) < limit {
			known[x.title] = true
			found = append(found, x.title)
		}
	}
	return found
}

// spaced appends the words of text to b, each after a blank.
func spaced(b []byte, text string) []byte {
	for word := range terms.Words(text) {
		b = append(append(b, ' '), word...)
	}
	return b
}

// span returns the first and the last eligible row of a conversation, whatever the texts.
func (t *titles) span(f *searchResult, conversation int32) (first, last int32, ok bool) {
	for _, row := range t.rows[conversation] {
		if int(row) < f.scope.Lo || int(row) >= f.scope.Hi || f.beforeTexts != nil && !f.beforeTexts.Has(row) {
			continue
		}
		if !ok {
			first, ok = row, true
		}
		last = row
	}
	return first, last, ok
}

func phrasesOf(texts []string) []*terms.Phrase {
	all := make([]*terms.Phrase, len(texts))
	for i, text := range texts {
		all[i] = terms.NewPhrase(text)
	}
	return all
}
