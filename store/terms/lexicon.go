package terms

// lexicon caches the terms of tokens and numbers the terms. Natural text repeats itself: after a few
// thousand turns nearly every token is known and needs neither folding nor stemming.
type lexicon struct {
	names   []string          // term by id
	ids     map[string]uint32 // id by term
	tokens  tokenTable        // by token as written
	termIDs []uint32          // the term ids of all entries, concatenated
}

// entry is a slice of termIDs.
type entry struct {
	at   uint32
	n    uint16
	stop bool // all terms are stop words
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

// token returns the ids of a token's terms, and whether all are stop words. The slice is valid until
// the next call.
func (l *lexicon) token(token string) (ids []uint32, stop bool) {
	if e := l.tokens.find(token); e != nil {
		return l.termIDs[e.at : e.at+uint32(e.n)], e.stop
	}
	return l.addToken(token)
}

// addToken is like token, for a token that is not known.
func (l *lexicon) addToken(token string) (ids []uint32, stop bool) {
	at := len(l.termIDs)
	_, stop = expand(token, func(term []byte) { l.termIDs = append(l.termIDs, l.id(term)) })
	ids = l.termIDs[at:]
	if len(token) > maxTokenBytes {
		l.termIDs = l.termIDs[:at]
		return ids, stop
	}
	l.tokens.add(token, entry{uint32(at), uint16(len(ids)), stop})
	return ids, stop
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
