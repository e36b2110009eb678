package terms

import (
	"slices"
	"strings"
	"unicode"
)

// Content returns the terms of a single query without the function words of the language that it is in. The index drops
// those of English alone: in an archive that is mostly English, those of another language are rare, and would count for
// more than what is asked. A query of function words alone keeps them.
func Content(text string) []string {
	var a Analyzer
	all := a.Query(text)
	heard := a.heard[0].byLanguage()
	language, _ := clearest(&heard, len(text))
	if language == Unknown || language == English {
		return all
	}
	common := make(map[string]bool)
	for _, token := range strings.FieldsFunc(text, isBetweenWords) {
		functions := allFunctionWords()
		if functions.sets[functions.of[cased(token, language)]].has(language) {
			for _, term := range a.Query(token) {
				common[term] = true
			}
		}
	}
	content := slices.DeleteFunc(slices.Clone(all), func(term string) bool { return common[term] })
	if len(content) == 0 {
		return all
	}
	return content
}

func isBetweenWords(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r)
}
