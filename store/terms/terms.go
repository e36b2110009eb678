// Package terms turns text into the terms of the keyword index, by the same rules for documents and
// queries. It does no I/O.
//
// The rules are:
//
//   - A token is a run of Unicode letters, marks and digits. It continues across single joints (foo-bar,
//     path/to.file, snake_case, std::string, user@host, O’Neill) and includes the tail of C++ and C#. Everything
//     else separates tokens.
//   - Letters are compatibility-normalized (NFKC) and lower-cased. Accents of Latin, Greek and Cyrillic and the
//     vowel points of Arabic and Hebrew are removed, so that cafe finds café.
//   - A token with joints is kept whole, unstemmed, and also yields its words. A word with inner capitals or digits
//     (SendMessageW, sha256) is kept whole and also yields its parts. An exact identifier therefore matches more
//     terms than its parts do.
//   - Words of ASCII letters are stemmed as English (Snowball English, also known as Porter2). English stop words
//     are dropped, unless a text consists of nothing else.
//   - Scripts without spaces between words (Han, Kana, Thai, Lao, Khmer, Myanmar), and Hangul, whose endings attach
//     to its words, become character bigrams. A run of one character is a term. Documents also yield their single
//     Han characters, so that 猫 finds 黒猫.
//   - Numbers are words. Terms are cut at 64 bytes. Longer tokens with joints are not kept whole, and words with
//     very many parts (hashes, base64) are not split.
package terms

import (
	"errors"

	"lens/store"
)

// Version is the version of these rules. An archive that was indexed with another Version must be
// indexed again, so every change to the output of Analyzer must increment it.
const Version = 1

// The errors of CheckVersion. An archive with older rules that is opened for writing is indexed again from the stored
// texts; a reader can use everything but the index.
var (
	ErrOlder = errors.New("keyword index was built with older rules")
	ErrNewer = errors.New("keyword index was built with newer rules")
)

// CheckVersion compares the version of the rules that an archive was indexed with. If they were not those of its
// queries, searches would silently find less.
func CheckVersion(indexed int64) error {
	switch {
	case indexed > Version:
		return ErrNewer
	case indexed < Version:
		return ErrOlder
	}
	return nil
}

// Analyzer applies the rules. It caches the terms of tokens, so use one Analyzer for many texts: a
// known token costs one lookup. The cache is bounded (a few megabytes). The zero value is ready to
// use. An Analyzer is not safe for concurrent use.
type Analyzer struct {
	lexicon lexicon
	counts  []uint32 // by number of a term: occurrences in the current document
	touched []uint32 // the terms with a count, in order of first occurrence
	stopIDs []uint32 // stop words of the current text, while it has nothing else
	content bool     // whether the current text has more than stop words
	query   bool
	facts   []store.NumberCount // of the current turn

	heard    [2]hits                   // the function words of the first texts of the current document
	stemmers [len(languages)]*Analyzer // by language
}

// Document returns the distinct terms of a document that consists of texts, in the order of their
// first occurrence. The caller owns the result.
func (a *Analyzer) Document(texts ...string) []store.TermCount {
	a.document(texts...)
	merged := make([]store.TermCount, len(a.touched))
	for i, id := range a.touched {
		merged[i] = store.TermCount{Term: a.lexicon.vocabulary.Term(id), Count: a.counts[id]}
	}
	return merged
}

// document counts the terms of a document.
func (a *Analyzer) document(texts ...string) {
	a.begin(false)
	a.heard = [2]hits{}
	for i, text := range texts {
		a.read(text, &a.heard[min(i, 1)])
	}
}

// Turn returns the terms of a turn for the keyword index: those of its text, without the summary,
// which only repeats it, and its facts.
func (a *Analyzer) Turn(t *store.Turn) store.Terms {
	a.chunk(t)
	a.addFacts(t.Facts())
	a.addLanguages(t)
	return a.list()
}

// Chunk returns the terms of a turn in a published index: as Turn, but only the facts of its chunk.
func (a *Analyzer) Chunk(t *store.Turn) store.Terms {
	a.chunk(t)
	return a.list()
}

func (a *Analyzer) chunk(t *store.Turn) {
	a.document(t.UserText, t.AssistantText)
	for _, fact := range t.Chunk.Facts() {
		a.addFact(fact, 1)
	}
}

func (a *Analyzer) addFacts(facts []store.TermCount) {
	for _, f := range facts {
		a.addFact(f.Term, f.Count)
	}
}

func (a *Analyzer) addFact(fact string, count uint32) {
	a.facts = append(a.facts, store.NumberCount{Number: a.lexicon.vocabulary.NumberOf(fact), Count: count})
}

// list returns the terms of the current document and its facts.
func (a *Analyzer) list() store.Terms {
	length := 0
	counts := make([]store.NumberCount, 0, len(a.touched)+len(a.facts))
	for _, id := range a.touched {
		n := a.counts[id]
		length += int(n)
		counts = append(counts, store.NumberCount{Number: id, Count: n})
	}
	return a.lexicon.vocabulary.List(append(counts, a.facts...), length)
}

// Query returns the distinct terms of a query in the order of their first occurrence. A query of stop
// words alone keeps them.
func (a *Analyzer) Query(text string) []string {
	a.begin(true)
	a.read(text, &a.heard[0])
	names := make([]string, len(a.touched))
	for i, id := range a.touched {
		names[i] = a.lexicon.vocabulary.Term(id)
	}
	return names
}

// Query returns the terms of a single query, like Analyzer.Query. It is safe for concurrent use.
func Query(text string) []string { return new(Analyzer).Query(text) }

// Length returns the number of terms in a text, including repetitions but not facts: store.Turn's
// Length.
func Length(counts []store.TermCount) int {
	n := 0
	for _, c := range counts {
		if !store.IsFact(c.Term) {
			n += int(c.Count)
		}
	}
	return n
}

// begin resets the counts of the last document.
func (a *Analyzer) begin(query bool) {
	for _, id := range a.touched {
		a.counts[id] = 0
	}
	a.touched, a.facts, a.query = a.touched[:0], a.facts[:0], query
	if a.lexicon.language == Unknown {
		a.share()
	}
	if a.lexicon.full() {
		a.lexicon = lexicon{language: a.lexicon.language, vocabulary: a.lexicon.vocabulary}
	}
}

// share begins a vocabulary, for the stemmers too, unless there is one that is not full.
func (a *Analyzer) share() {
	if v := a.lexicon.vocabulary; v == nil || v.Len() > maxVocabulary {
		a.lexicon, a.counts, a.touched = lexicon{vocabulary: new(store.Vocabulary)}, nil, nil
		a.lexicon.vocabulary.NumberOf("") // 0 stands for no term
		a.stemmers = [len(languages)]*Analyzer{}
	}
}

// read counts the terms of one text, and the languages that its tokens speak for.
func (a *Analyzer) read(text string, heard *hits) {
	a.content, a.stopIDs = false, a.stopIDs[:0]
	i := 0
	for i < len(text) && !a.content {
		i = a.readOne(text, i, heard)
	}
	for i = a.readBlocks(text, i, heard); i < len(text); {
		i = a.readOne(text, i, heard)
	}
	if !a.content {
		a.add(a.stopIDs)
	}
}

// readOne counts the token at i, if one begins there, and returns its end, or that of the character that separates.
func (a *Analyzer) readOne(text string, i int, heard *hits) int {
	if kind := kinds[text[i]]; kind == other || kind == joint { // one of every five characters
		return i + 1
	}
	kind, end := next(text, i)
	switch kind {
	case letter:
		a.token(a.lexicon.token(text[i:end]), heard)
	case unspaced:
		a.run(text[i:end])
	}
	return end
}

// token counts a token of a script with spaces. Most tell no language.
func (a *Analyzer) token(e entry, heard *hits) {
	if e.functions != 0 {
		heard.add(e)
	}
	switch {
	case !e.stop:
		a.content = true
		if e.n == 1 {
			a.count(e.at)
		} else {
			a.add(a.lexicon.idsOf(e))
		}
	case !a.content && e.n == 1:
		a.stopIDs = append(a.stopIDs, e.at)
	case !a.content:
		a.stopIDs = append(a.stopIDs, a.lexicon.idsOf(e)...)
	}
}

// run counts the bigrams of a run in a script without spaces.
func (a *Analyzer) run(text string) {
	if a.lexicon.language != Unknown {
		return
	}
	a.content = true
	bigrams(text, !a.query, func(term []byte) { a.count(a.lexicon.vocabulary.Number(term)) })
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
