package sqlite

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf8"
)

// quoting says which of the two common ways of writing a string as JSON is meant. Both escape quotes, backslashes and
// control characters, each in the shortest form.
type quoting byte

const (
	quotedUTF8  quoting = iota // other characters stand as they are: JSON.stringify, json.dumps(…, ensure_ascii=False)
	quotedASCII                // as \u and four small hexadecimal digits: json.dumps
)

// appendQuoted appends text as it stands in JSON between quotes.
func (q quoting) appendQuoted(dst, text []byte) []byte {
	for {
		plain := q.plain(text)
		dst, text = append(dst, text[:plain]...), text[plain:]
		if len(text) == 0 {
			return dst
		}
		r, size := rune(text[0]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(text)
		}
		dst, text = appendEscape(dst, r), text[size:]
	}
}

// plain returns how many bytes at the beginning of text are not escaped.
func (q quoting) plain(text []byte) (n int) {
	for ; n+8 <= len(text); n += 8 {
		x := binary.LittleEndian.Uint64(text[n:])
		escapes := escapesIn(x)
		if q == quotedASCII {
			escapes |= x & highs
		}
		if escapes != 0 {
			return n + bits.TrailingZeros64(escapes)/8
		}
	}
	for n < len(text) && !(escapes(text[n]) || q == quotedASCII && text[n] >= utf8.RuneSelf) {
		n++
	}
	return n
}

// escapes reports whether both quotings escape b.
func escapes(b byte) bool { return b < ' ' || b == '"' || b == '\\' }

// The lowest and the highest bit of each of eight bytes.
const lows, highs = 0x0101010101010101, 0x8080808080808080

// escapesIn applies escapes to eight bytes. The lowest bit of the result is the highest of the first byte that is
// escaped; those above may be wrong.
func escapesIn(x uint64) uint64 {
	quote, backslash := x^lows*'"', x^lows*'\\'
	return ((x-lows*' ')&^x | (quote-lows)&^quote | (backslash-lows)&^backslash) & highs
}

// shortEscapes is what follows the backslash for a character that has an escape of two bytes; 0: it has none.
var shortEscapes = [utf8.RuneSelf]byte{
	'\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't', '"': '"', '\\': '\\',
}

func appendEscape(dst []byte, r rune) []byte {
	if r < utf8.RuneSelf && shortEscapes[r] != 0 {
		return append(dst, '\\', shortEscapes[r])
	}
	if r > 0xffff {
		r -= 0x10000
		return appendUnit(appendUnit(dst, 0xd800+r>>10), 0xdc00+r&0x3ff)
	}
	return appendUnit(dst, r)
}

func appendUnit(dst []byte, unit rune) []byte {
	const digits = "0123456789abcdef"
	return append(dst, '\\', 'u', digits[unit>>12&15], digits[unit>>8&15], digits[unit>>4&15], digits[unit&15])
}

// quotedLength returns how many bytes at the beginning of raw are text as appendQuoted writes it; false if they are
// something else.
func quotedLength(text, raw []byte) (n int, q quoting, ok bool) {
	var escape [12]byte
	beyondASCII, escaped := false, false // characters beyond ASCII: as they are, escaped
	for {
		same, beyond := plainPrefix(text, raw[n:])
		text, n, beyondASCII = text[same:], n+same, beyondASCII || beyond
		if len(text) == 0 {
			break
		}
		r, size := rune(text[0]), 1
		switch {
		case r < utf8.RuneSelf && shortEscapes[r] != 0: // nearly all
			if len(raw)-n < 2 || raw[n] != '\\' || raw[n+1] != shortEscapes[r] {
				return 0, 0, false
			}
			text, n = text[1:], n+2
			continue
		case r >= ' ' && r < utf8.RuneSelf: // raw has something else, such as an escape that is not needed
			return 0, 0, false
		case r >= utf8.RuneSelf:
			if r, size = utf8.DecodeRune(text); size == 1 {
				return 0, 0, false
			}
			escaped, q = true, quotedASCII
		}
		e := appendEscape(escape[:0], r)
		if !bytes.HasPrefix(raw[n:], e) {
			return 0, 0, false
		}
		text, n = text[size:], n+len(e)
	}
	return n, q, !beyondASCII || !escaped
}

// plainPrefix returns how many bytes a and b begin with that are the same and need no escape, and whether some of them
// are beyond ASCII.
func plainPrefix(a, b []byte) (n int, beyondASCII bool) {
	seen := uint64(0)
	end := min(len(a), len(b))
	a, b = a[:end], b[:end]
	for n+8 <= end {
		x := binary.LittleEndian.Uint64(a[n : n+8])
		differs := x ^ binary.LittleEndian.Uint64(b[n:n+8])
		if escaped := escapesIn(x); differs|escaped != 0 {
			same := min(bits.TrailingZeros64(differs), bits.TrailingZeros64(escaped)) / 8
			return n + same, (seen|x&(1<<(8*same)-1))&highs != 0
		}
		seen |= x
		n += 8
	}
	for n < end && a[n] == b[n] && !escapes(a[n]) {
		seen |= uint64(a[n])
		n++
	}
	return n, seen&highs != 0
}

// maxPlaces is how often a text is looked for in a message's raw JSON: some exports have it twice.
const maxPlaces = 4

// cutQuoted appends raw to rest without the text, where it stands in raw as JSON, and returns where that was: the bytes
// of rest before each place, from the place before. No places: it is not there.
// The memory of places is used for them.
func cutQuoted(rest, text, raw []byte, places []int) (whole []byte, _ []int, q quoting) {
	for _, try := range []quoting{quotedUTF8, quotedASCII} {
		var head [96]byte
		key := try.appendQuoted(head[:0], headOf(text))
		whole, places, q = rest, places[:0], quotedUTF8
		from := 0 // what is not in whole yet
		for tries, at := 0, 0; tries < maxPlaces && len(raw)-at >= len(text); tries++ {
			found := bytes.Index(raw[at:], key)
			if found < 0 {
				break
			}
			at += found
			n, how, ok := quotedLength(text, raw[at:])
			if !ok || len(places) > 0 && how != q {
				at++
				continue
			}
			whole, places, q = append(whole, raw[from:at]...), append(places, at-from), how
			at += n
			from = at
		}
		if len(places) > 0 {
			return append(whole, raw[from:]...), places, q
		}
		if !slices.ContainsFunc(headOf(text), func(b byte) bool { return b >= utf8.RuneSelf }) {
			break // both are the same
		}
	}
	return rest, nil, q
}

// headOf returns the first characters of text, enough to look for it.
func headOf(text []byte) []byte {
	n := min(len(text), 16)
	for n > 0 && n < len(text) && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}
