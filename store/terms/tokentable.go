package terms

import (
	"math/bits"
	"math/rand/v2"
)

// tokenTable is a hash table of tokens with open addressing. It is what an import looks up most often: a token of at
// most eight bytes, as most are, is one number, and nothing in the table is a pointer, for the garbage collector.
type tokenTable struct {
	slots []slot // a power of two of them, at most half of them used
	used  int
	long  []byte    // the tokens of more than shortToken bytes, one behind the other
	seed  [2]uint64 // random, so that no text can be made to collide
}

// slot is an entry with its token.
type slot struct {
	key    uint64 // the packed token, of a longer one a hash
	from   uint32 // where in tokenTable.long a longer one is
	length uint8  // of the token in bytes; 0: the slot is free
	entry
}

const (
	shortToken  = 8 // bytes
	fewestSlots = 1 << 8
)

// find returns the entry of a token, nil if it has none. It is valid until the next add.
func (t *tokenTable) find(token string) *entry {
	if t.used == 0 || len(token) > maxTokenBytes {
		return nil
	}
	key := t.key(token)
	for i := t.first(key); ; i = (i + 1) & (len(t.slots) - 1) {
		s := &t.slots[i]
		if s.length == 0 {
			return nil
		}
		if s.key == key && int(s.length) == len(token) && (len(token) <= shortToken || t.token(s) == token) {
			return &s.entry
		}
	}
}

// add adds a token of at most maxTokenBytes that the table does not have.
func (t *tokenTable) add(token string, e entry) {
	if 2*t.used >= len(t.slots) {
		t.grow()
	}
	s := slot{key: t.key(token), length: uint8(len(token)), entry: e}
	if len(token) > shortToken {
		s.from = uint32(len(t.long))
		t.long = append(t.long, token...)
	}
	t.put(s)
	t.used++
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
	i := t.first(s.key)
	for t.slots[i].length > 0 {
		i = (i + 1) & (len(t.slots) - 1)
	}
	t.slots[i] = s
}

// token returns the token of a slot with a longer one.
func (t *tokenTable) token(s *slot) string { return string(t.long[s.from : s.from+uint32(s.length)]) }

// first returns where to begin to look for a key.
func (t *tokenTable) first(key uint64) int {
	return int(mix(key^t.seed[0], t.seed[1])) & (len(t.slots) - 1)
}

// key returns a number for a token: a distinct one for each of at most shortToken bytes of the same length.
func (t *tokenTable) key(token string) uint64 {
	n := len(token)
	switch {
	case n > shortToken:
		h := uint64(n)
		for i := 0; i+8 < n; i += 8 {
			h = mix(h^eightBytes(token, i)^t.seed[0], t.seed[1])
		}
		return mix(h^eightBytes(token, n-8)^t.seed[0], t.seed[1])
	case n == shortToken:
		return eightBytes(token, 0)
	case n >= 4:
		return fourBytes(token, 0) | fourBytes(token, n-4)<<(8*(n-4))
	}
	key := uint64(0)
	for i := range n {
		key |= uint64(token[i]) << (8 * i)
	}
	return key
}

func eightBytes(s string, i int) uint64 { return fourBytes(s, i) | fourBytes(s, i+4)<<32 }

func fourBytes(s string, i int) uint64 {
	b := s[i : i+4]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24
}

func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}
