package terms

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"
)

//go:embed questionwords.txt
var questionWordLists string

// questionWords has the languages that have a word in questions, beside their function words.
var questionWords = sync.OnceValue(func() map[string]languageSet {
	sets := make(map[string]languageSet)
	readWordLists(questionWordLists, func(word string, l Language) { sets[word] |= 1 << l })
	return sets
})

// QueryLanguage returns the language that most function words and question words of a query are in: at least two of
// them, and more than are English, twice as many where the archive lacks the language. A script that hardly any other
// language is written in tells, too. Of several languages, it is one that the archive has, which are in among. Unknown
// stands for all others, English included.
func QueryLanguage(text string, among ...Language) Language {
	var counts [len(languages)]int
	eachCommon(text, func(word string, in languageSet) {
		weight := 1
		if in == 0 {
			in, weight = scriptLanguage(word), fewestFunctionWords
		}
		for l := English; in>>l != 0; l++ {
			if in.has(l) {
				counts[l] += weight
			}
		}
	})
	best := Unknown
	for i, l := range slices.Concat(among, Stemmed()) {
		least := counts[English]
		if i >= len(among) { // of many languages, one has some English words by chance: go, in
			least *= 2
		}
		if counts[l] >= fewestFunctionWords && counts[l] > max(least, counts[best]) {
			best = l
		}
	}
	return best
}

// eachCommon calls use with the words of a text and the languages that have them as function words or in questions.
func eachCommon(text string, use func(word string, in languageSet)) {
	functions := allFunctionWords()
	for _, word := range strings.FieldsFunc(text, isBetweenWords) {
		lower := cased(word, Unknown)
		use(lower, functions.sets[functions.of[lower]]|questionWords()[lower])
	}
}

// Content returns the terms of a single query without those that say nothing beside the others: the common words of the
// language that it is in, and letters and digits that a word ends or begins with (the 3 of 3d, which thousands of turns
// have). The index drops common words of English alone: in an archive that is mostly English, those of another language
// are rare, and would count for more than what is asked. A query of nothing else keeps them. An English question has no
// frame, see WithoutFrame.
func Content(text string, in Language) []string {
	if in == Unknown || in == English {
		text = WithoutFrame(text)
	}
	var a Analyzer
	all := a.Query(text)
	empty := make(map[string]bool)
	for from, to := range Tokens(text) {
		if of := a.Query(text[from:to]); len(of) > 1 {
			for _, term := range of {
				if len(term) == 1 {
					empty[term] = true
				}
			}
		}
	}
	if in != Unknown && in != English {
		eachCommon(text, func(word string, languages languageSet) {
			if languages.has(in) {
				for _, term := range a.Query(word) {
					empty[term] = true
				}
			}
		})
	}
	content := slices.DeleteFunc(slices.Clone(all), func(term string) bool { return empty[term] })
	if len(content) == 0 {
		return all
	}
	return content
}

func isBetweenWords(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r)
}

// IsCommon reports whether a word, in lower case, says nothing by itself in a language.
func IsCommon(word string, in Language) bool {
	if in == Unknown || in == English {
		return IsStopWord(word)
	}
	common := false
	eachCommon(word, func(_ string, languages languageSet) { common = common || languages.has(in) })
	return common
}
