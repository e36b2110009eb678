package terms

import "lens/store"

// lexicon caches the terms of tokens, by their numbers in a vocabulary. Natural text repeats itself: after a few
// thousand turns nearly every token is known and needs neither folding nor stemming.
type lexicon struct {
	vocabulary *store.Vocabulary
	tokens     tokenTable // by token as written
	termIDs    []uint32   // the numbers of the terms of entries of several, concatenated

	language Language // whose stems are the terms; Unknown: the terms are those of every text
}

// entry is the terms of a token.
type entry struct {
	at   uint32 // the number of the only term; of several, where they begin in termIDs
	n    uint32
	stop bool // all terms are stop words

	functions uint8 // the set of languages that the token speaks for
}

// A lexicon or vocabulary that exceeds these limits is dropped between documents. Natural text stays far below them,
// machine output does not.
const (
	maxTokens     = 1 << 17
	maxVocabulary = 1 << 17 // terms, also of the stemmers
	maxTokenBytes = 48      // longer tokens hardly ever repeat and are not kept
)

func (l *lexicon) full() bool {
	return l.tokens.used > maxTokens || len(l.termIDs) > 4*maxTokens
}

// token returns the terms of a token. They are valid until the next call.
func (l *lexicon) token(token string) entry {
	if e, known := l.tokens.find(token); known {
		return e
	}
	return l.addToken(token)
}

// addToken is like token, for a token that is not known.
func (l *lexicon) addToken(token string) entry {
	from := len(l.termIDs)
	add := func(term []byte) { l.termIDs = append(l.termIDs, l.vocabulary.Number(term)) }
	var e entry
	if l.language == Unknown {
		_, e.stop = expand(token, add)
		e.functions = allFunctionWords().set(token, e.stop)
	} else {
		l.language.expand(token, add)
	}
	e.at, e.n = uint32(from), uint32(len(l.termIDs)-from)
	if e.n == 1 {
		e.at = l.termIDs[from]
	}
	kept := l.tokens.add(token, e)
	if e.n == 1 || !kept {
		l.termIDs = l.termIDs[:from]
	}
	return e
}

// idsOf returns the numbers of the terms of an entry of several terms.
func (l *lexicon) idsOf(e entry) []uint32 {
	from, end := int(e.at), int(e.at)+int(e.n)
	return l.termIDs[from:end:end] // those of a token that is not kept lie behind len
}
