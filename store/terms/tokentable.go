package terms

import (
	"math"
	"math/bits"
	"math/rand/v2"
)

// tokenTable is a hash table of tokens with open addressing. It is what an import looks up most often: a token of at
// most sixteen bytes, as nearly all are, is two numbers, and nothing in the table is a pointer, for the garbage
// collector.
type tokenTable struct {
	slots []slot // a power of two of them, at most two thirds of them used
	used  int
	long  []byte    // the tokens of more than shortToken bytes, one behind the other
	seed  [2]uint64 // random, so that no text can be made to collide
}

// slot is a token with its entry.
type slot struct {
	tokenKey         // of a longer token, first is its hash, and second where it is in tokenTable.long
	at        uint32 // as in entry
	n         uint8
	length    uint8 // of the token in bytes; 0: the slot is free
	functions uint8 // as in entry
	flags     slotFlags
}

// slotFlags say what a token counts as.
type slotFlags uint8

const (
	stopWord      slotFlags = 1 << iota
	oneTerm                 // and not a stop word
	severalTerms            // likewise
	speaksEnglish           // as in hits
	speaksOther
)

func flagsOf(e entry) (f slotFlags) {
	switch {
	case e.stop:
		f = stopWord
	case e.n == 1:
		f = oneTerm
	case e.n > 1:
		f = severalTerms
	}
	switch {
	case e.functions == 0:
	case e.stop:
		f |= speaksEnglish
	default:
		f |= speaksOther
	}
	return f
}

// tokenKey is a token of at most shortToken bytes: its bytes from the lowest on, then zeros, which no token has.
type tokenKey struct{ first, second uint64 }

const (
	shortToken  = 16 // bytes
	fewestSlots = 1 << 8
)

func (s *slot) entry() entry { return entry{s.at, uint32(s.n), s.flags&stopWord != 0, s.functions} }

// find returns the entry of a token.
func (t *tokenTable) find(token string) (e entry, known bool) {
	if len(token) <= shortToken {
		return t.findShort(keyOf(token))
	}
	if t.used == 0 || len(token) > maxTokenBytes {
		return entry{}, false
	}
	key := tokenKey{first: t.hash(token)}
	for i := t.start(key); ; i++ {
		s := &t.slots[i&(len(t.slots)-1)]
		if s.length == 0 {
			return entry{}, false
		}
		if s.first == key.first && int(s.length) == len(token) && t.token(s) == token {
			return s.entry(), true
		}
	}
}

// findShort is find for a token of at most shortToken bytes.
func (t *tokenTable) findShort(key tokenKey) (e entry, known bool) {
	if t.used == 0 {
		return entry{}, false
	}
	if s := find(t.slots, t.start(key), key); s != nil {
		return s.entry(), true
	}
	return entry{}, false
}

// find returns the slot of a token of at most shortToken bytes; nil if there is none. It begins to look at i.
func find(slots []slot, i int, key tokenKey) *slot {
	for ; len(slots) > 0; i++ {
		s := &slots[i&(len(slots)-1)]
		if s.tokenKey == key && s.length <= shortToken {
			return s
		}
		if s.length == 0 {
			break
		}
	}
	return nil
}

// add adds a token that the table does not have, unless it is too long or has very many terms.
func (t *tokenTable) add(token string, e entry) (added bool) {
	if len(token) > maxTokenBytes || e.n > math.MaxUint8 {
		return false
	}
	if 3*t.used >= 2*len(t.slots) {
		t.grow()
	}
	s := slot{at: e.at, n: uint8(e.n), length: uint8(len(token)), functions: e.functions, flags: flagsOf(e)}
	if len(token) <= shortToken {
		s.tokenKey = keyOf(token)
	} else {
		s.tokenKey = tokenKey{t.hash(token), uint64(len(t.long))}
		t.long = append(t.long, token...)
	}
	t.put(s)
	t.used++
	return true
}

func (t *tokenTable) grow() {
	if t.slots == nil {
		t.seed = [2]uint64{rand.Uint64(), rand.Uint64() | 1}
	}
	before := t.slots
	t.slots = make([]slot, max(fewestSlots, 2*len(before)))
	for i := range before {
		if before[i].length > 0 {
			t.put(before[i])
		}
	}
}

func (t *tokenTable) put(s slot) {
	key := s.tokenKey
	if s.length > shortToken {
		key.second = 0
	}
	i := t.start(key) & (len(t.slots) - 1)
	for t.slots[i].length > 0 {
		i = (i + 1) & (len(t.slots) - 1)
	}
	t.slots[i] = s
}

// token returns the token of a slot with a longer one.
func (t *tokenTable) token(s *slot) string {
	return string(t.long[s.second : s.second+uint64(s.length)])
}

// start returns where to begin to look for a key.
func (t *tokenTable) start(key tokenKey) int {
	return int(mix(key.first^t.seed[0], key.second^t.seed[1]))
}

// hash returns a hash of a token of more than eight bytes.
func (t *tokenTable) hash(token string) uint64 {
	n := len(token)
	h := uint64(n)
	for i := 0; i+8 < n; i += 8 {
		h = mix(h^eightBytes(token, i)^t.seed[0], t.seed[1])
	}
	return mix(h^eightBytes(token, n-8)^t.seed[0], t.seed[1])
}

// keyOf returns the key of a token of at most shortToken bytes.
func keyOf(token string) tokenKey {
	if n := len(token); n > 8 {
		return tokenKey{eightBytes(token, 0), eightBytes(token, n-8) >> (8 * (shortToken - n))}
	}
	return tokenKey{first: fewBytes(token)}
}

// fewBytes returns at most eight bytes, from the lowest on.
func fewBytes(s string) (bytes uint64) {
	n := len(s)
	switch {
	case n == 8:
		return eightBytes(s, 0)
	case n >= 4:
		return fourBytes(s, 0) | fourBytes(s, n-4)<<(8*(n-4))
	}
	for i := range n {
		bytes |= uint64(s[i]) << (8 * i)
	}
	return bytes
}

func eightBytes(s string, i int) uint64 {
	b := s[i : i+8]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

func fourBytes(s string, i int) uint64 {
	b := s[i : i+4]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24
}

func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}
