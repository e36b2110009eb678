package terms

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// contractions are the words that the index does not have where they belong to a contraction: those after an
// apostrophe, and those before n’t.
var contractions = func() map[string]bool {
	set := make(map[string]bool)
	for word := range strings.FieldsSeq(`
		s m re ve ll d t
		ain aren couldn daren didn doesn don hadn hasn haven isn mayn mightn mustn needn oughtn shan shouldn wasn
		weren won wouldn
	`) {
		set[word] = true
	}
	return set
}()

// Required returns terms that the index has of every text in which a phrase occurs: the stems of its words but for
// common ones, and not what depends on how a text joins or divides them. Texts with all of these terms need not have
// the phrase; NewPhrase tells. A phrase of common words has none.
//
// Between characters of scripts without spaces the index knows neighbors only, so that texts that separate what the
// phrase writes together are not found. Neither is a word that an unusual contraction is joined to, as in docker/isn’t.
func Required(phrase string) []string {
	var terms []string
	for word := range Words(phrase) {
		r, _ := utf8.DecodeRune(word)
		if runeKind(r) != unspaced && !isStop(word) && !contractions[string(word)] {
			terms = append(terms, string(stem(word)))
		}
	}
	scan(phrase, func(string) {}, func(run string) {
		bigrams(run, false, func(term []byte) {
			if r, size := utf8.DecodeRune(term); size < len(term) || unicode.Is(unicode.Han, r) {
				terms = append(terms, string(term))
			}
		})
	})
	return terms
}
