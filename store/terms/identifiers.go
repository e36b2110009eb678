package terms

// Identifiers returns the whole identifiers of a query that, stop words aside, is nothing else: such a query is a look-up, and
// a text that holds one of them whole is what was meant. Nil for any other query. Each is one of Query's terms.
//
// An identifier is a token that is more than one word: SendMessageW, ERR_42, foo-bar, C++, path/to.file; but not one that is too long
// to be kept whole.
func Identifiers(text string) []string {
	var identifiers []string
	plain := false
	scan(text, func(token string) {
		first := ""
		whole, stop := expand(token, func(term []byte) {
			if first == "" {
				first = string(term)
			}
		})
		switch {
		case whole:
			identifiers = append(identifiers, first)
		case !stop:
			plain = true
		}
	}, func(string) { plain = true })
	if plain {
		return nil
	}
	return identifiers
}
