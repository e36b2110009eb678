package terms

import "strings"

// lexicon caches the terms of tokens and numbers the terms. Natural text repeats itself: after a few
// thousand turns nearly every token is known and needs neither folding nor stemming.
type lexicon struct {
	names   []string          // term by id
	ids     map[string]uint32 // id by term
	tokens  map[string]entry  // by token as written
	cache   []cachedToken     // a hash table of recent short tokens; nil while there are few tokens
	termIDs []uint32          // the term ids of all entries, concatenated
}

// entry is a slice of termIDs.
type entry struct {
	at   uint32
	n    uint16
	stop bool // all terms are stop words
}

// cachedToken is a recently used token. Most tokens of a text are few and short. The small table finds
// them without the map, whose scattered memory is slow.
type cachedToken struct {
	key uint64 // the packedKey of the token
	entry
}

const (
	maxCachedBytes = 8 // maximum length of a cached token in bytes
	cacheBits      = 12
	hashMultiplier = 0x9e3779b97f4a7c15 // 2⁶⁴/φ, for multiplicative hashing
)

// packedKey returns a distinct number for each token of at most maxCachedBytes bytes; no token begins
// with a zero byte.
func packedKey(token string) (key uint64) {
	for i := range len(token) {
		key = key<<8 | uint64(token[i])
	}
	return key
}

// A lexicon that exceeds these limits is dropped between documents. Natural text stays far below them, machine
// output does not.
const (
	maxTokens     = 1 << 17
	maxNames      = 1 << 17
	maxTokenBytes = 48 // longer tokens hardly ever repeat and are not kept
)

func (l *lexicon) full() bool {
	return len(l.tokens) > maxTokens || len(l.names) > maxNames || len(l.termIDs) > 4*maxTokens
}

// token returns the ids of a token's terms, and whether all are stop words. The slice is valid until
// the next call.
func (l *lexicon) token(token string) (ids []uint32, stop bool) {
	e, known := l.find(token)
	if !known {
		return l.addToken(token)
	}
	return l.termIDs[e.at : e.at+uint32(e.n)], e.stop
}

func (l *lexicon) find(token string) (e entry, known bool) {
	if l.cache == nil || len(token) > maxCachedBytes {
		e, known = l.tokens[token]
		return e, known
	}
	key := packedKey(token)
	cached := &l.cache[key*hashMultiplier>>(64-cacheBits)]
	if cached.key != key {
		if e, known = l.tokens[token]; !known {
			return e, false
		}
		*cached = cachedToken{key, e}
	}
	return cached.entry, true
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
	if l.tokens == nil {
		l.tokens = make(map[string]entry)
	}
	if l.cache == nil && len(l.tokens) == 1<<cacheBits {
		l.cache = make([]cachedToken, 1<<cacheBits)
	}
	l.tokens[strings.Clone(token)] = entry{uint32(at), uint16(len(ids)), stop}
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
