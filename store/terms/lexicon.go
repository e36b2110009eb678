package terms

import "strings"

// lexicon remembers which terms a token yields, and gives every term a small number. Natural text repeats itself: after a few
// thousand turns nearly every token is known, and neither folding nor stemming runs again.
type lexicon struct {
	names  []string          // term by id
	ids    map[string]uint32 // id by term
	tokens map[string]entry  // by token as written
	hot    []hotToken        // by place; nil as long as there are few tokens
	yields []uint32          // the ids of all entries, one after the other
}

// entry is a slice of yields.
type entry struct {
	at   uint32
	n    uint16
	stop bool // yields only stop words
}

// hotToken is a token that was met lately. Most tokens of a text are few and short: these are found without the map, whose far-flung
// memory a processor waits for.
type hotToken struct {
	key uint64 // of the token, as of packed
	entry
}

const (
	maxHot  = 8 // bytes of a hot token
	hotBits = 12
	golden  = 0x9e3779b97f4a7c15 // 2⁶⁴/φ, for multiplicative hashing
)

// packed returns a token of at most maxHot bytes as a number that no other token has: none begins with a zero.
func packed(token string) (key uint64) {
	for i := range len(token) {
		key = key<<8 | uint64(token[i])
	}
	return key
}

// A lexicon is dropped between documents once it is this large: tokens of natural text stay far below, machine output does not.
const (
	maxTokens = 1 << 17
	maxNames  = 1 << 17
	maxKept   = 48 // bytes of a token; longer ones hardly ever repeat
)

func (l *lexicon) full() bool {
	return len(l.tokens) > maxTokens || len(l.names) > maxNames || len(l.yields) > 4*maxTokens
}

// token returns the ids of what a token yields, and whether these are stop words only. The slice is valid until the next call.
func (l *lexicon) token(token string) (ids []uint32, stop bool) {
	e, known := l.find(token)
	if !known {
		return l.learn(token)
	}
	return l.yields[e.at : e.at+uint32(e.n)], e.stop
}

func (l *lexicon) find(token string) (e entry, known bool) {
	if l.hot == nil || len(token) > maxHot {
		e, known = l.tokens[token]
		return e, known
	}
	key := packed(token)
	hot := &l.hot[key*golden>>(64-hotBits)]
	if hot.key != key {
		if e, known = l.tokens[token]; !known {
			return e, false
		}
		*hot = hotToken{key, e}
	}
	return hot.entry, true
}

// learn is the same for a token that was not met before.
func (l *lexicon) learn(token string) (ids []uint32, stop bool) {
	at := len(l.yields)
	_, stop = expand(token, func(term []byte) { l.yields = append(l.yields, l.id(term)) })
	ids = l.yields[at:]
	if len(token) > maxKept {
		l.yields = l.yields[:at]
		return ids, stop
	}
	if l.tokens == nil {
		l.tokens = make(map[string]entry)
	}
	if l.hot == nil && len(l.tokens) == 1<<hotBits {
		l.hot = make([]hotToken, 1<<hotBits)
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
