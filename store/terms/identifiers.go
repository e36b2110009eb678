package terms

// Identifiers returns the whole identifiers of a query that has nothing else but stop words. Such a
// query is a lookup: it asks for texts with one of these identifiers. It returns nil for any other
// query. Each identifier is one of Query's terms.
//
// An identifier is a token of more than one word, such as SendMessageW, ERR_42, foo-bar, C++ or
// path/to.file, that is short enough to be kept whole.
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
