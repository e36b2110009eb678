package chat

import (
	"io"
	"math/bits"
)

// elementScanner reads elements of an array of which no byte is doubtful, faster than a decoder. What is
// wrong with the others, a decoder says.
type elementScanner struct {
	src    io.Reader
	in     *limitedReader // that src reads; its limit is one of an element
	data   []byte         // of src; its capacity is how much is scanned at a time
	at     int            // what is unread begins here
	passed int64          // bytes that were read
	begun  bool           // an element was read, so that a comma comes before the next one
	err    error          // of src, or errTooLarge
}

// next returns the next element, which is valid until it is called again. False: the array ends, the element is
// doubtful, or src ends within it. It is still unread then.
func (e *elementScanner) next() (element []byte, ok bool) {
	e.in.refill()
	for {
		from, end := e.scan()
		switch {
		case end >= 0:
			e.passed += int64(end - e.at)
			e.at, e.begun = end, true
			return e.data[from:end], true
		case end == doubtful || e.err != nil:
			return nil, false
		}
		e.more()
	}
}

// scan returns where the next element begins, and what valueEnd says about its end.
func (e *elementScanner) scan() (from, end int) {
	from = afterSpaces(e.data, e.at)
	if e.begun {
		if from >= len(e.data) {
			return from, incomplete
		}
		if e.data[from] != ',' {
			return from, doubtful
		}
		from = afterSpaces(e.data, from+1)
	}
	return from, valueEnd(e.data, from, 0)
}

// more reads at least as much as is unread: an element is scanned from its beginning then, and must not be too often.
// What is read ahead is not of the element, so that only what is unread counts against the limit.
func (e *elementScanner) more() {
	unread := e.data[e.at:]
	if len(unread) > e.in.limit {
		e.err = errTooLarge
		return
	}
	least := max(len(unread), cap(e.data)/4, 1)
	whole := e.data[:0]
	if cap(whole) < len(unread)+least {
		whole = make([]byte, 0, len(unread)+least)
	}
	whole = append(whole, unread...)
	for least += len(whole); len(whole) < least && e.err == nil; { // io.ReadAtLeast would hide how src ended
		e.in.refill()
		var n int
		n, e.err = e.src.Read(whole[len(whole):cap(whole)])
		whole = whole[:len(whole)+n]
	}
	e.data, e.at = whole, 0
}

// What the functions below return instead of an offset.
const (
	incomplete = -1 // the data ends within the value, or right behind a number
	doubtful   = -2 // malformed, or nested more than maxScanDepth levels deep
)

// maxScanDepth bounds the recursion.
const maxScanDepth = 1000

// valueEnd returns the offset behind the value at data[at], if a lenient decoder accepts it.
func valueEnd(data []byte, at, depth int) int {
	if at >= len(data) {
		return incomplete
	}
	switch data[at] {
	case '"':
		return stringEnd(data, at)
	case '{':
		return membersEnd(data, at, depth+1, '}')
	case '[':
		return membersEnd(data, at, depth+1, ']')
	case 't':
		return literalEnd(data, at, "true")
	case 'f':
		return literalEnd(data, at, "false")
	case 'n':
		return literalEnd(data, at, "null")
	}
	return numberEnd(data, at)
}

// membersEnd is valueEnd for the object or array that ends with a bracket.
func membersEnd(data []byte, at, depth int, bracket byte) int {
	if depth > maxScanDepth {
		return doubtful
	}
	at = afterSpaces(data, at+1)
	if at < len(data) && data[at] == bracket {
		return at + 1
	}
	for {
		if bracket == '}' {
			if at = nameEnd(data, at); at < 0 {
				return at
			}
		}
		if at = valueEnd(data, at, depth); at < 0 {
			return at
		}
		if at = afterSpaces(data, at); at >= len(data) {
			return incomplete
		}
		switch data[at] {
		case bracket:
			return at + 1
		case ',':
			at = afterSpaces(data, at+1)
		default:
			return doubtful
		}
	}
}

// nameEnd returns the offset of the value behind the name at data[at].
func nameEnd(data []byte, at int) int {
	switch {
	case at >= len(data):
		return incomplete
	case data[at] != '"':
		return doubtful
	}
	if at = stringEnd(data, at); at < 0 {
		return at
	}
	switch at = afterSpaces(data, at); {
	case at >= len(data):
		return incomplete
	case data[at] != ':':
		return doubtful
	}
	return afterSpaces(data, at+1)
}

// stringEnd is valueEnd for a string.
func stringEnd(data []byte, at int) int {
	for at++; ; {
		switch at = afterPlain(data, at); {
		case at >= len(data):
			return incomplete
		case data[at] == '"':
			return at + 1
		case data[at] != '\\': // a control character
			return doubtful
		case at+1 >= len(data):
			return incomplete
		}
		switch data[at+1] {
		case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			at += 2
		case 'u':
			if at+6 > len(data) {
				return incomplete
			}
			for _, b := range data[at+2 : at+6] {
				if !isHexDigit(b) {
					return doubtful
				}
			}
			at += 6
		default:
			return doubtful
		}
	}
}

// afterPlain returns the offset of the next quotation mark, backslash or control character.
func afterPlain(data []byte, at int) int {
	for ; at+16 <= len(data); at += 16 {
		here := data[at : at+16]
		if found := specialIn(eightBytes(here, 0)); found != 0 {
			return at + bits.TrailingZeros64(found)/8
		}
		if found := specialIn(eightBytes(here, 8)); found != 0 {
			return at + 8 + bits.TrailingZeros64(found)/8
		}
	}
	for at < len(data) && data[at] >= ' ' && data[at] != '"' && data[at] != '\\' {
		at++
	}
	return at
}

// The lowest and the highest bit of each of eight bytes.
const lows, highs = 0x0101010101010101, 0x8080808080808080

// specialIn returns where the first of eight bytes is that is a control character, a quotation mark or a backslash: its
// highest bit is set. Those above it may be wrong.
func specialIn(x uint64) uint64 {
	quote, backslash := x^lows*'"', x^lows*'\\'
	return ((x-lows*' ')&^x | (quote-lows)&^quote | (backslash-lows)&^backslash) & highs
}

// indexPair returns the offset of the first a with b behind it, -1 for none. It looks at sixteen places at once;
// bytes.Index would stop at every a.
func indexPair[T string | []byte](s T, a, b byte) int {
	as, bs := lows*uint64(a), lows*uint64(b)
	i := 0
	for ; i+16 < len(s); i += 16 {
		here := s[i : i+17]
		x := (eightBytes(here, 0) ^ as) | (eightBytes(here, 1) ^ bs)
		y := (eightBytes(here, 8) ^ as) | (eightBytes(here, 9) ^ bs)
		if ((x-lows)&^x|(y-lows)&^y)&highs != 0 { // one of the bytes is 0: the pair is there
			break
		}
	}
	for ; i+1 < len(s); i++ {
		if s[i] == a && s[i+1] == b {
			return i
		}
	}
	return -1
}

// eightBytes returns the bytes from i on, the first one as the lowest.
func eightBytes[T string | []byte](s T, i int) uint64 {
	b := s[i : i+8]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

func isHexDigit(b byte) bool { return isDigit(b) || 'a' <= b|0x20 && b|0x20 <= 'f' }

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// literalEnd is valueEnd for true, false and null.
func literalEnd(data []byte, at int, literal string) int {
	have := string(data[at:min(at+len(literal), len(data))])
	switch {
	case have == literal:
		return at + len(literal)
	case have == literal[:len(have)]:
		return incomplete
	}
	return doubtful
}

// numberEnd is valueEnd for a number. Only what comes behind a number shows its end.
func numberEnd(data []byte, at int) int {
	is := func(b byte) bool { return at < len(data) && data[at] == b }
	digits := func() bool {
		from := at
		for at < len(data) && isDigit(data[at]) {
			at++
		}
		return at > from
	}
	if is('-') {
		at++
	}
	ok := true
	if is('0') {
		at++
	} else {
		ok = digits()
	}
	if ok && is('.') {
		at++
		ok = digits()
	}
	if ok && (is('e') || is('E')) {
		if at++; is('+') || is('-') {
			at++
		}
		ok = digits()
	}
	switch {
	case at >= len(data):
		return incomplete
	case !ok:
		return doubtful
	}
	return at
}

func afterSpaces(data []byte, at int) int {
	for at < len(data) && (data[at] == ' ' || data[at] == '\n' || data[at] == '\t' || data[at] == '\r') {
		at++
	}
	return at
}
