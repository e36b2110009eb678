// Package terms turns text into the terms of the keyword index: documents and queries by the same rules. It is pure.
//
// The rules are:
//
//   - A token is a run of Unicode letters, marks and digits, also across single joints inside it (foo-bar, path/to.file,
//     snake_case, std::string, user@host, O’Neill), and with the tail of C++ and C#. Everything else separates.
//   - Letters are compatibility-normalised (NFKC) and lower-cased; accents of Latin, Greek and Cyrillic and the vowel points of
//     Arabic and Hebrew are folded away, so that café is found by cafe.
//   - A token with joints is kept whole, unstemmed, and yields its words as well. A word with humps or digits (SendMessageW,
//     sha256) is kept whole and yields its parts as well. So an exact identifier matches more terms than its parts do.
//   - Words of ASCII letters are stemmed as English (Snowball English, also known as Porter2). English stop words are left out, unless
//     a text has nothing else: such a text keeps them.
//   - Scripts that do not put spaces between words (Han, Kana, Thai, Lao, Khmer, Myanmar), and Hangul, whose endings stick to its
//     words, become bigrams of characters. A run of one character is itself a term, and documents have their single Han characters
//     besides, so that 猫 finds 黒猫.
//   - Numbers are words. Terms are cut at 64 bytes; longer tokens with joints are not kept whole, and words that fall into very many
//     parts (hashes, base64) are not split.
package terms

import "lens/store"

// Version names the rules of this package. Terms are stored, so an archive that was indexed under another Version has to be
// indexed again; anything that changes what Analyzer yields must count it up.
const Version = 1

// Analyzer applies the rules. It keeps what it has learnt of words it saw before, so use one for many texts: a token that was seen
// costs one look-up. What it keeps is bounded (a few megabytes). The zero value is ready; it is not safe for concurrent use.
type Analyzer struct {
	lexicon lexicon
	counts  []uint32 // by term id: occurrences in the document at hand
	touched []uint32 // the ids with a count, in order of first occurrence
	held    []uint32 // stop words of the text at hand, for as long as it has nothing else
	content bool     // whether the text at hand has more than stop words
	query   bool
}

// Document returns the terms of a document that consists of texts, each once, in the order in which they first occur. The result is
// the caller's.
func (a *Analyzer) Document(texts ...string) []store.TermCount {
	a.begin(false)
	for _, text := range texts {
		a.read(text)
	}
	merged := make([]store.TermCount, len(a.touched))
	for i, id := range a.touched {
		merged[i] = store.TermCount{Term: a.lexicon.names[id], Count: a.counts[id]}
	}
	return merged
}

// Turn returns what the keyword index is told of a turn: the terms of its whole text, without the summary, which says the same again,
// and the facts of a chunk.
func (a *Analyzer) Turn(t *store.Turn) []store.TermCount {
	counts := a.Document(t.UserText, t.AssistantText)
	for _, fact := range t.Chunk.Facts() {
		counts = append(counts, store.TermCount{Term: fact, Count: 1})
	}
	return counts
}

// Query returns the distinct terms of a query in the order in which they first occur. A query of stop words alone keeps them.
func (a *Analyzer) Query(text string) []string {
	a.begin(true)
	a.read(text)
	names := make([]string, len(a.touched))
	for i, id := range a.touched {
		names[i] = a.lexicon.names[id]
	}
	return names
}

// Query is Analyzer.Query for a single query; safe for concurrent use.
func Query(text string) []string { return new(Analyzer).Query(text) }

// Length is the number of terms in a text, repeats included and without facts: store.Turn's Length.
func Length(counts []store.TermCount) int {
	n := 0
	for _, c := range counts {
		if !store.IsFact(c.Term) {
			n += int(c.Count)
		}
	}
	return n
}

// begin forgets the last document.
func (a *Analyzer) begin(query bool) {
	for _, id := range a.touched {
		a.counts[id] = 0
	}
	a.touched, a.query = a.touched[:0], query
	if a.lexicon.full() {
		a.lexicon, a.counts = lexicon{}, nil
	}
}

// read counts the terms of one text.
func (a *Analyzer) read(text string) {
	a.content, a.held = false, a.held[:0]
	scan(text, a.word, a.run)
	if !a.content {
		a.add(a.held)
	}
}

// word takes a token of a script with spaces.
func (a *Analyzer) word(token string) {
	ids, stop := a.lexicon.token(token)
	switch {
	case !stop:
		a.content = true
		a.add(ids)
	case !a.content:
		a.held = append(a.held, ids...)
	}
}

// run takes a run of a script without spaces.
func (a *Analyzer) run(text string) {
	a.content = true
	bigrams(text, !a.query, func(term []byte) { a.count(a.lexicon.id(term)) })
}

func (a *Analyzer) add(ids []uint32) {
	for _, id := range ids {
		a.count(id)
	}
}

func (a *Analyzer) count(id uint32) {
	for int(id) >= len(a.counts) {
		a.counts = append(a.counts, 0)
	}
	if a.counts[id] == 0 {
		a.touched = append(a.touched, id)
	}
	a.counts[id]++
}
