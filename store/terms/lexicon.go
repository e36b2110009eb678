package terms

import "strings"

// lexicon remembers which terms a token yields, and gives every term a small number. Natural text repeats itself: after a few
// thousand turns nearly every token is known, and neither folding nor stemming runs again.
type lexicon struct {
	names  []string          // term by id
	ids    map[string]uint32 // id by term
	tokens map[string]entry  // by token as written
	yields []uint32          // the ids of all entries, one after the other
}

// entry is a slice of yields.
type entry struct {
	at   uint32
	n    uint16
	stop bool // yields only stop words
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
	if e, known := l.tokens[token]; known {
		return l.yields[e.at : e.at+uint32(e.n)], e.stop
	}
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
