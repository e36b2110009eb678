package terms

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"golang.org/x/text/unicode/norm"

	"lens/store"
)

// A turn in another language than English has, beside its terms, the stems of its words in that language, as facts:
// they add to what a word finds and take nothing away, and do not count toward the length of a text. The rules are:
//
//   - A text is in the language that most of its function words belong to, or its script. One without function words is
//     in the language of the other side of its turn.
//   - A word is stemmed with its accents, which then are removed, and once more without them: a query may lack them.
//     Numbers, single letters and the function words of the language have no stems.
//   - A query does not tell its language: Stems are those in every language that the archive has.

// languagesVersion is the version of these facts. Every change to them must increment it, and give them other names.
const languagesVersion = 1

// languagesKnown is the fact of a turn whose languages are indexed, with languagesVersion as its count.
const languagesKnown = ":languages"

// Languages indexes the languages of turns, with the stems of their words.
func Languages() *store.Indexing {
	var a Analyzer
	return store.NewIndexing(languagesKnown, languagesVersion, func(t *store.Turn) []store.TermCount {
		a.document(t.UserText, t.AssistantText)
		a.addLanguages(t)
		return a.lexicon.vocabulary.List(a.facts, 0).TermCounts()
	})
}

// LanguageCount says in how many turns a text is in a language.
type LanguageCount struct {
	Language Language
	Turns    int
}

// CountLanguages returns the languages of an archive, the most frequent first, and the number of turns whose languages
// are not indexed.
func CountLanguages(ctx context.Context, r store.FactReader) (found []LanguageCount, missing int, err error) {
	if missing, err = Languages().Missing(ctx, r); err != nil {
		return nil, 0, err
	}
	all := append([]Language{English}, Stemmed()...)
	facts := make([]string, len(all))
	for i, l := range all {
		facts[i] = l.Fact()
	}
	catalog, err := r.Catalog(ctx)
	if err != nil {
		return nil, 0, err
	}
	lists, err := r.Postings(ctx, facts)
	if err != nil {
		return nil, 0, err
	}
	for i, list := range lists {
		n := 0
		for _, ord := range list.Ords {
			if _, alive := catalog.Row(ord); alive {
				n++
			}
		}
		if n > 0 {
			found = append(found, LanguageCount{all[i], n})
		}
	}
	slices.SortStableFunc(found, func(x, y LanguageCount) int { return cmp.Compare(y.Turns, x.Turns) })
	return found, missing, nil
}

// addLanguages adds the facts of the turn whose document was read last.
func (a *Analyzer) addLanguages(t *store.Turn) {
	a.addFact(languagesKnown, languagesVersion)
	texts := [2]string{t.UserText, t.AssistantText}
	in := tell(texts, &a.heard)
	for i, l := range in {
		if l == Unknown || i > 0 && l == in[0] {
			continue
		}
		a.addFact(l.Fact(), 1)
		switch {
		case l == English:
		case in[0] == in[1]:
			a.addStems(l, texts[:]...)
		default:
			a.addStems(l, texts[i])
		}
	}
}

func (a *Analyzer) addStems(l Language, texts ...string) {
	s := a.stemmer(l)
	s.document(texts...)
	for _, id := range s.touched {
		a.facts = append(a.facts, store.NumberCount{Number: id, Count: s.counts[id]})
	}
}

// stemmer returns an analyzer whose terms are stems in a language.
func (a *Analyzer) stemmer(l Language) *Analyzer {
	if a.stemmers[l] == nil {
		a.stemmers[l] = &Analyzer{lexicon: lexicon{language: l, vocabulary: a.lexicon.vocabulary}}
	}
	return a.stemmers[l]
}

// StemsIn returns the stems of the words of a text in a language, as facts. It knows the words of earlier texts.
func (a *Analyzer) StemsIn(l Language, text string) []string {
	a.share()
	return a.stemmer(l).Query(text)
}

// Stems returns the facts by which turns in a language have the words of a query, by term of Query.
func Stems(text string, l Language) map[string][]string {
	all := make(map[string][]string)
	scan(text, func(token string) {
		for word := range tokenWords(token) {
			term := string(stem(appendWord(nil, word)))
			l.stems(word, func(fact []byte) {
				if !slices.Contains(all[term], string(fact)) {
					all[term] = append(all[term], string(fact))
				}
			})
		}
	}, func(string) {})
	return all
}

// tokenWords yields the words between the joints of a token.
func tokenWords(token string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := 0; i < len(token); {
			kind, end := wordAt(token, i)
			if kind == letter && !yield(token[i:end]) {
				return
			}
			i = end
		}
	}
}

// expand emits the facts of the words of a token.
func (l Language) expand(token string, emit func(fact []byte)) {
	for word := range tokenWords(token) {
		l.stems(word, emit)
	}
}

// stems emits the facts of one word, at most two.
func (l Language) stems(word string, emit func(fact []byte)) {
	if len(word) > maxTerm || !isWordOfLetters(word) {
		return
	}
	word = cased(word, l)
	functions := allFunctionWords()
	if set := functions.of[word]; set != 0 && functions.sets[set].has(l) {
		return
	}
	accented := l.stem(word)
	if accented != "" {
		emit([]byte(store.WordIn(l.Code(), accented)))
	}
	if isASCII(word) {
		return
	}
	if plain := l.stem(string(appendWord(nil, word))); plain != "" && plain != accented {
		emit([]byte(store.WordIn(l.Code(), plain)))
	}
}

// isWordOfLetters reports whether a word has two letters, and no digits.
func isWordOfLetters(word string) bool {
	return utf8.RuneCountInString(word) > 1 && strings.IndexFunc(word, unicode.IsNumber) < 0
}

// stem returns the stem of a word in lower case, without accents.
func (l Language) stem(word string) string {
	env := snowballstem.NewEnv(word)
	languages[l].stem(env)
	return string(appendWord(nil, env.Current()))
}

// cased returns a word in lower case as the stemmer of a language expects it: composed, without invisible characters.
func cased(word string, l Language) string {
	if isASCII(word) && languages[l].code != "tr" {
		return strings.ToLower(word)
	}
	word = strings.Map(visible, norm.NFKC.String(word))
	if languages[l].code == "tr" {
		return strings.ToLowerSpecial(unicode.TurkishCase, word)
	}
	return strings.ToLower(word)
}

// visible drops characters that only format, and spells the Romanian letters with a comma as those with a cedilla,
// which stemmer and function words have.
func visible(r rune) rune {
	switch r {
	case 'Ș', 'ș':
		return 'ş'
	case 'Ț', 'ț':
		return 'ţ'
	}
	if r == 0x640 || runeKind(r) == mark && !unicode.IsMark(r) {
		return -1
	}
	return r
}
