package terms

// lexicon caches the terms of tokens and numbers the terms. Natural text repeats itself: after a few
// thousand turns nearly every token is known and needs neither folding nor stemming.
type lexicon struct {
	names   []string          // term by id
	ids     map[string]uint32 // id by term
	tokens  tokenTable        // by token as written
	termIDs []uint32          // the term ids of entries of several, concatenated

	language Language // whose stems are the terms; Unknown: the terms are those of every text
}

// entry is the terms of a token.
type entry struct {
	at   uint32 // the id of the only term; of several, where they begin in termIDs
	n    uint32
	stop bool // all terms are stop words

	functions uint8 // the set of languages that the token speaks for
}

// A lexicon that exceeds these limits is dropped between documents. Natural text stays far below them, machine
// output does not.
const (
	maxTokens     = 1 << 17
	maxNames      = 1 << 17
	maxTokenBytes = 48 // longer tokens hardly ever repeat and are not kept
)

func (l *lexicon) full() bool {
	return l.tokens.used > maxTokens || len(l.names) > maxNames || len(l.termIDs) > 4*maxTokens
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
	add := func(term []byte) { l.termIDs = append(l.termIDs, l.id(term)) }
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

// idsOf returns the ids of an entry of several terms.
func (l *lexicon) idsOf(e entry) []uint32 {
	from, end := int(e.at), int(e.at)+int(e.n)
	return l.termIDs[from:end:end] // those of a token that is not kept lie behind len
}

// id returns the number of a term.
func (l *lexicon) id(term []byte) uint32 {
	if id, known := l.ids[string(term)]; known {
		return id
	}
	if l.ids == nil {
		l.ids = make(map[string]uint32)
	}
	id, name := uint32(len(l.names)), string(term)
	l.ids[name] = id
	l.names = append(l.names, name)
	return id
}
