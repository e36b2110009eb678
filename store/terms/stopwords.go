package terms

import (
	"strings"
	"unicode"
)

// stopWords are English words that carry grammar rather than meaning. cutContraction handles contractions.
var stopWords = func() map[string]bool {
	set := make(map[string]bool)
	for word := range strings.FieldsSeq(`
		a an the this that these those
		i me my mine myself we us our ours ourselves you your yours yourself yourselves
		he him his himself she her hers herself it its itself they them their theirs themselves
		who whom whose which what when where why how
		am is are was were be been being do does did doing done have has had having
		can could may might must shall should will would
		and or but nor so yet if then else than as because while though although until unless
		of at by for with about against between among into through during before after above below
		to from up down in out on off over under again further
		not no only own same such too very just also there here
		all any both each few more most other some
	`) {
		set[word] = true
	}
	return set
}()

// IsStopWord reports whether word, in lower case, is dropped from texts and queries that have other
// words.
func IsStopWord(word string) bool { return stopWords[word] }

func isStop(word []byte) bool { return stopWords[string(word)] }

// IsFunctionWord reports whether a word, as it is written or as a term of the index, is a function word of English or
// of a language that is recognized, which says nothing by itself. In another language, it may. Japanese in Hiragana
// alone counts as one: nearly all of it is grammar, but for a few nouns such as すし.
func IsFunctionWord(word string) bool {
	return IsStopWord(word) || allFunctionWords().of[cased(word, Unknown)] != 0 || isHiragana(word)
}

// isHiragana reports whether a word has Hiragana, and no other letters.
func isHiragana(word string) bool {
	return word != "" && !strings.ContainsFunc(word, func(r rune) bool { return !unicode.Is(unicode.Hiragana, r) })
}
