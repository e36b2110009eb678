package terms

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/arabic"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/hungarian"
	"github.com/blevesearch/snowballstem/irish"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/romanian"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
	"github.com/blevesearch/snowballstem/tamil"
	"github.com/blevesearch/snowballstem/turkish"

	"lens/store"
)

// Language is a language that texts are recognized to be in.
type Language uint8

// Unknown is the language of a text that is too short, in several languages, or in one without a stemmer.
const (
	Unknown Language = iota
	English          // stemmed everywhere
	firstStemmed
)

// languages holds the languages by their numbers.
var languages = [...]struct {
	code, name string
	stem       func(*snowballstem.Env) bool
}{
	Unknown:      {name: "unknown"},
	English:      {"en", "English", nil},
	firstStemmed: {"ar", "Arabic", arabic.Stem},
	{"da", "Danish", danish.Stem},
	{"nl", "Dutch", dutch.Stem},
	{"fi", "Finnish", finnish.Stem},
	{"fr", "French", french.Stem},
	{"de", "German", german.Stem},
	{"hu", "Hungarian", hungarian.Stem},
	{"ga", "Irish", irish.Stem},
	{"it", "Italian", italian.Stem},
	{"no", "Norwegian", norwegian.Stem},
	{"pt", "Portuguese", portuguese.Stem},
	{"ro", "Romanian", romanian.Stem},
	{"ru", "Russian", russian.Stem},
	{"es", "Spanish", spanish.Stem},
	{"sv", "Swedish", swedish.Stem},
	{"ta", "Tamil", tamil.Stem},
	{"tr", "Turkish", turkish.Stem},
}

// Code returns the ISO 639-1 code of a language; "" if it is unknown.
func (l Language) Code() string { return languages[l].code }

// String returns the English name of a language.
func (l Language) String() string { return languages[l].name }

// Fact returns the fact of a turn that one of its texts is in a language.
func (l Language) Fact() string { return store.InLanguage(l.Code()) }

// Stemmed returns the languages, other than English, whose words are stemmed.
func Stemmed() []Language {
	var all []Language
	for l := firstStemmed; int(l) < len(languages); l++ {
		all = append(all, l)
	}
	return all
}

// languageOf returns the language with a code.
func languageOf(code string) Language {
	for l := range languages {
		if languages[l].code == code {
			return Language(l)
		}
	}
	return Unknown
}

//go:embed functionwords.txt
var functionWordLists string

// languageSet has a bit for each language.
type languageSet uint32

func (s languageSet) has(l Language) bool { return s>>l&1 != 0 }

// onlyEnglish is the number of the set of English alone.
const onlyEnglish = 1

// functionWords knows which languages have a word as a function word. The same few sets of languages come up again and
// again: they are numbered, the empty one is 0.
type functionWords struct {
	sets   []languageSet
	number map[languageSet]uint8
	of     map[string]uint8 // by word: the number of its set
}

// allFunctionWords returns the function words of all languages.
var allFunctionWords = sync.OnceValue(func() *functionWords {
	sets := make(map[string]languageSet)
	for word := range stopWords {
		if len(word) > 1 { // a letter alone is a name in a program, or a word in many languages
			sets[word] |= 1 << English
		}
	}
	readWordLists(functionWordLists, func(word string, l Language) { sets[word] |= 1 << l })
	f := &functionWords{number: make(map[languageSet]uint8), of: make(map[string]uint8, len(sets))}
	f.add(0)
	f.add(1 << English)
	for _, l := range Stemmed() {
		f.add(1 << l) // for those that a script tells
	}
	for word, set := range sets {
		f.of[word] = f.add(set)
	}
	return f
})

// readWordLists calls add with the words of a file, and the languages of their sections.
func readWordLists(file string, add func(word string, l Language)) {
	language := Unknown
	for line := range strings.Lines(file) {
		code, begins := strings.CutPrefix(line, "= ")
		switch {
		case begins:
			language = languageOf(strings.TrimSpace(code))
		case !strings.HasPrefix(line, "#"):
			for word := range strings.FieldsSeq(line) {
				add(word, language)
			}
		}
	}
}

// add returns the number of a set.
func (f *functionWords) add(set languageSet) uint8 {
	n, known := f.number[set]
	if !known {
		n = uint8(len(f.sets))
		f.sets, f.number[set] = append(f.sets, set), n
	}
	return n
}

// set returns the number of the set of languages that a token speaks for: those that have it, or one of the words that
// an apostrophe or a hyphen joins, as a function word, else the one that is written in its script. What English drops
// is English.
func (f *functionWords) set(token string, stop bool) uint8 {
	set := f.of[cased(token, Unknown)]
	switch {
	case set != 0:
		return set
	case stop && len(token) > 1:
		return f.of["not"]
	case strings.ContainsAny(token, "'’-") && !strings.ContainsAny(token, "/_.:@&\\"):
		for word := range tokenWords(token) {
			if set := f.of[cased(word, Unknown)]; set != 0 {
				return set
			}
		}
	}
	return f.number[scriptLanguage(token)]
}

// scriptLanguage returns the language of a script that hardly any other one is written in. Letters that Russian and
// Arabic lack speak for another language, such as Ukrainian or Persian.
func scriptLanguage(token string) languageSet {
	first, _ := utf8.DecodeRuneInString(token)
	switch {
	case first >= 'А' && first <= 'я' && !strings.ContainsAny(token, "іїєґўјљњћђџѓќѕ"):
		return 1 << languageOf("ru")
	case first >= 'ء' && first <= 'ي' && !strings.ContainsAny(token, "پچژگکیہےٹڈڑں"):
		return 1 << languageOf("ar")
	case first >= 'அ' && first <= 'ஹ':
		return 1 << languageOf("ta")
	}
	return 0
}

// The function words that tell the language of a text: at least so many, twice as many where several
// languages have them, and one in so many bytes.
const (
	fewestFunctionWords  = 2
	bytesPerFunctionWord = 80
)

// hits counts the tokens of a text by the number of the set of languages that they speak for.
type hits struct {
	sets    [256]uint32
	english int // those that speak for English, and perhaps others
	foreign int // those that do not
}

func (h *hits) add(e entry) {
	h.sets[e.functions]++
	if e.stop {
		h.english++
	} else {
		h.foreign++
	}
}

// surelyEnglish reports whether no language can have more tokens than English.
func (h *hits) surelyEnglish() bool { return h.foreign <= int(h.sets[onlyEnglish]) }

// byLanguage returns how many tokens speak for each language.
func (h *hits) byLanguage() (counts [len(languages)]int) {
	for n, set := range allFunctionWords().sets {
		for l := English; h.sets[n] > 0 && set>>l != 0; l++ {
			if set.has(l) {
				counts[l] += int(h.sets[n])
			}
		}
	}
	return counts
}

// clearest returns the language that most tokens of a text of size bytes speak for, English where as many speak for it.
// Unclear says that nearly as many speak for a third one.
func clearest(counts *[len(languages)]int, size int) (best Language, unclear bool) {
	best, second := English, 0
	for l := firstStemmed; int(l) < len(languages); l++ {
		if counts[l] > counts[best] {
			best = l
		}
	}
	for l := firstStemmed; int(l) < len(languages); l++ {
		if l != best {
			second = max(second, counts[l])
		}
	}
	n := counts[best]
	unclear = best != English && second >= n-1
	if !enough(n, size) || unclear && n < 2*fewestFunctionWords {
		return Unknown, true
	}
	return best, unclear
}

// enough reports whether n tokens tell that a text of size bytes is in their language.
func enough(n, size int) bool { return n >= fewestFunctionWords && n*bytesPerFunctionWord >= size }

// tell returns the languages of the texts of a turn. One that does not tell is in the language of both together, unless
// it has more of another one.
func tell(texts [2]string, heard *[2]hits) (found [2]Language) {
	if heard[0].surelyEnglish() && heard[1].surelyEnglish() {
		for i, text := range texts {
			if enough(heard[i].english, len(text)) || enough(heard[0].english+heard[1].english, len(texts[0])+len(texts[1])) {
				found[i] = English
			}
		}
		return found
	}
	counts := [2][len(languages)]int{heard[0].byLanguage(), heard[1].byLanguage()}
	all := counts[0]
	for l, n := range counts[1] {
		all[l] += n
	}
	both, _ := clearest(&all, len(texts[0])+len(texts[1]))
	for i, text := range texts {
		language, unclear := clearest(&counts[i], len(text))
		n := counts[i][both]
		if unclear && n >= counts[i][English] && n+1 >= slices.Max(counts[i][:]) {
			language = both
		}
		found[i] = language
	}
	return found
}
