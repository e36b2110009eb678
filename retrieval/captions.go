package retrieval

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"

	"lens/retrieval/topics"
	"lens/store"
	"lens/store/terms"
)

// A peak is explained by the words that set its matches apart from the query's other matches: against the archive, they
// would only repeat the query. Only matches are read, and not all of them.

const (
	captionWords = 3
	captionTexts = 60      // of a peak's matches, and of the others, the best are read
	captionBytes = 4 << 10 // of each side of a turn
	captionTurns = 2       // of a peak that a word must be in
	captionLevel = 2       // the least z of a word that a title has; others need topics.Unusual
)

// captions fills in the words and titles of peaks of some rows, the best of which come first: at most most texts are
// read for each peak. Errors: not_found when a turn is gone, see readConsistently.
func (e *Engine) captions(ctx context.Context, f *searchResult, peaks []Peak, of []int32, most int) error {
	reader, ok := e.source.(store.TextReader)
	if !ok || len(peaks) == 0 {
		return nil
	}
	groups := f.groupByPeak(peaks, of, most)
	var all []int32
	for _, rows := range groups {
		all = append(all, rows...)
	}
	slices.Sort(all)
	titles, err := e.titles.load(ctx, f.snapshot)
	if err != nil {
		return err
	}
	kept := turnWordsOf(f.snapshot)
	found, names, err := kept.read(ctx, reader, f.snapshot, titles, all)
	if err != nil {
		return err
	}
	c := newCaptioner(f, names, len(groups))
	defer c.release()
	for g, rows := range groups {
		for _, row := range rows {
			i, _ := slices.BinarySearch(all, row)
			c.count(g, found[i])
		}
	}
	for p := range peaks {
		var rows []int32
		words := c.distinctive(p)
		for _, row := range groups[p] {
			i, _ := slices.BinarySearch(all, row)
			if c.hasAny(found[i], words) {
				rows = append(rows, row)
			}
		}
		if peaks[p].Words, err = kept.spell(ctx, reader, f.snapshot, words, rows); err != nil {
			return err
		}
		peaks[p].Title = f.mostlyIn(titles, peaks[p], of)
	}
	return nil
}

// groupByPeak returns the first rows of each peak, at most most, and, at the end, as many of no peak.
func (f *searchResult) groupByPeak(peaks []Peak, rows []int32, most int) [][]int32 {
	groups := make([][]int32, len(peaks)+1)
	for _, row := range rows {
		g := f.peakAt(peaks, row)
		if len(groups[g]) < most {
			groups[g] = append(groups[g], row)
		}
	}
	return groups
}

// hitRows returns the rows of the hits, the best first.
func (f *searchResult) hitRows() []int32 {
	rows := make([]int32, len(f.hits))
	for i, h := range f.hits {
		rows[i] = h.Row
	}
	return rows
}

// peakAt returns the index of the peak that a row is in, len(peaks) for none.
func (f *searchResult) peakAt(peaks []Peak, row int32) int {
	if int(row) >= f.Dated {
		return len(peaks)
	}
	at := f.allTimes[row]
	for i := range peaks {
		if at >= peaks[i].Start.Unix() && at < peaks[i].End.Unix() {
			return i
		}
	}
	return len(peaks)
}

// mostlyIn returns the title of the conversation with most of the matches in a peak, given the rows of all.
func (f *searchResult) mostlyIn(titles *titles, p Peak, rows []int32) string {
	var in []int32
	for _, row := range rows {
		if f.peakAt([]Peak{p}, row) == 0 {
			in = append(in, f.Conversation[row])
		}
	}
	if c, most := MostlyIn(in, p.Count); most {
		return titles.text[c]
	}
	return ""
}

// MostlyIn returns the conversation that more than half of some matches are in, given their number and the
// conversations of those that are known; false if there is none.
func MostlyIn[C comparable](conversations []C, matches int) (c C, most bool) {
	counts := make(map[C]int)
	for _, c := range conversations {
		if counts[c]++; 2*counts[c] > matches {
			return c, true
		}
	}
	return c, false
}

// captioner counts in how many matches of each group a word is.
type captioner struct {
	*captionCounts
	query  map[string]bool // its terms, which say nothing new
	names  []string        // of words, by number
	totals []int           // by group: the sum over its words
}

// captionCounts is the memory of a captioner, used again and again.
type captionCounts struct {
	places []int32 // by number: the place after that of the word in words; 0: none. An archive has many more words
	words  []captionWord
	in     []int32 // of each word, by group: the matches that have it
}

var captionMemory = sync.Pool{New: func() any { return new(captionCounts) }}

// captionWord is a word of matches.
type captionWord struct {
	number int
	titled int // matches that have it in their title, too
}

func newCaptioner(f *searchResult, names []string, groups int) *captioner {
	c := &captioner{
		captionCounts: captionMemory.Get().(*captionCounts),
		query:         make(map[string]bool), names: names, totals: make([]int, groups),
	}
	if len(c.places) < len(names) {
		c.places = make([]int32, len(names))
	}
	for _, word := range f.words {
		c.query[word] = true
	}
	for _, phrase := range f.asked.Phrases {
		for _, word := range terms.Query(phrase) {
			c.query[word] = true
		}
	}
	return c
}

// release gives the memory to the next captioner. c must not be used afterwards.
func (c *captioner) release() {
	for _, w := range c.words {
		c.places[w.number] = 0
	}
	c.words, c.in = c.words[:0], c.in[:0]
	captionMemory.Put(c.captionCounts)
}

// count counts the words of a match.
func (c *captioner) count(group int, words []turnWord) {
	groups := len(c.totals)
	c.totals[group] += len(words)
	for _, word := range words {
		place := &c.places[word.number()]
		if *place == 0 {
			c.words = append(c.words, captionWord{number: word.number()})
			for range groups {
				c.in = append(c.in, 0)
			}
			*place = int32(len(c.words))
		}
		at := int(*place) - 1
		c.in[at*groups+group]++
		if word&inTitle != 0 {
			c.words[at].titled++
		}
	}
}

// hasAny reports whether a match with words has any of some others.
func (c *captioner) hasAny(words []turnWord, of []string) bool {
	return slices.ContainsFunc(words, func(w turnWord) bool { return slices.Contains(of, c.names[w.number()]) })
}

// distinctive returns the words by which a group differs most from all others, the most telling first.
func (c *captioner) distinctive(group int) (words []string) {
	type scored struct {
		word  string
		score float64
	}
	all := 0
	for _, n := range c.totals {
		all += n
	}
	var found []scored
	for place, w := range c.words {
		word, in := c.names[w.number], c.in[place*len(c.totals):][:len(c.totals)]
		if in[group] < captionTurns || c.query[word] || terms.IsFunctionWord(word) || !isTelling(word) {
			continue
		}
		here, others := int(in[group]), 0
		for g, n := range in {
			if g != group {
				others += int(n)
			}
		}
		z := topics.LogOdds(here, c.totals[group], others, all-c.totals[group])
		if z >= captionLevel && (w.titled > 0 || z >= topics.Unusual) {
			affinity := float64(w.titled) / float64(others+here) // as in package topics
			found = append(found, scored{word, z * math.Sqrt(affinity+0.05)})
		}
	}
	slices.SortFunc(found, func(x, y scored) int {
		return cmp.Or(cmp.Compare(y.score, x.score), cmp.Compare(x.word, y.word))
	})
	for _, w := range found[:min(len(found), captionWords)] {
		words = append(words, w.word)
	}
	return words
}

// isTelling reports whether a word has three letters, or is written in a script of which fewer make a word.
func isTelling(word string) bool {
	letters := 0
	for _, r := range word {
		switch {
		case r > math.MaxUint8:
			letters += 2
		case r >= 'a':
			letters++
		}
	}
	return letters >= 3
}
