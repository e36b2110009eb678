package retrieval

// beginnings are the first two bytes of terms. They rule most words out without an analysis: stemming and case change
// neither of them, except that dying is die.
//
// Of each first byte it has a set of second bytes, by their last six bits.
type beginnings [256]uint64

func (b *beginnings) add(term string) {
	if len(term) == 1 {
		b[term[0]] = ^uint64(0) // its second letter may be part of an ending
		return
	}
	b[term[0]] |= 1 << (term[1] & 63)
	if term[1] == 'i' {
		b[term[0]] |= 1 << ('y' & 63)
	}
}

// What scan found of a word, apart from 0: it has none of the terms.
const (
	mayHold     = 1 + iota // one of its parts begins like a term
	foreignWord            // it has letters outside of ASCII, which may fold to anything
)

// scan looks for parts of the word at text[at] that begin like a term. Parts are at least those into which the index
// splits words. It returns the end of the word, a blank or the end of the text, and how many runes it has; neither is
// known of a foreign word.
func (b *beginnings) scan(text []byte, at int) (end, runes, found int) {
	before, begin := blank, at
	for ; at < len(text); at++ {
		c := text[at]
		class := classes[c]
		if class == before && class != upper {
			continue
		}
		if class >= foreign {
			if !isMark(text[at:]) {
				break
			}
			class, at, begin = other, at+markSize-1, begin+markSize-1
		}
		if seconds := b[lowered(c)]; seconds != 0 {
			if at+1 == len(text) || classes[text[at+1]] == foreign || seconds>>(lowered(text[at+1])&63)&1 != 0 {
				found = mayHold
			}
		}
		before = class
	}
	if at < len(text) && classes[text[at]] == foreign {
		found = foreignWord
	}
	return at, at - begin, found
}

// markSize is the length of a mark.
const markSize = len("’")

// isMark reports whether a text begins with a dash, quotation mark or ellipsis, from U+2010 to U+2027: a reply has them
// in many of its words.
func isMark(text []byte) bool {
	return len(text) >= markSize && text[0] == 0xE2 && text[1] == 0x80 && text[2] >= 0x90 && text[2] <= 0xA7
}

// class groups bytes by where the index may split a word.
type class uint8

const (
	other class = iota
	lower
	upper
	digit
	foreign // not ASCII
	blank   // ends a word
)

var classes = func() (classes [256]class) {
	for c := range classes {
		switch {
		case c >= 0x80:
			classes[c] = foreign
		case 'a' <= c && c <= 'z':
			classes[c] = lower
		case 'A' <= c && c <= 'Z':
			classes[c] = upper
		case '0' <= c && c <= '9':
			classes[c] = digit
		case c == ' ':
			classes[c] = blank
		}
	}
	return classes
}()

// lowered returns the lower case of an ASCII letter, and other bytes as they are.
func lowered(b byte) byte {
	if 'A' <= b && b <= 'Z' {
		return b + 'a' - 'A'
	}
	return b
}
