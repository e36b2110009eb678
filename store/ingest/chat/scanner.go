package chat

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
)

var errTooDeep = errors.New("nested too deep")

// syntaxError says where JSON is malformed.
type syntaxError struct{ offset int64 }

func (e *syntaxError) Error() string { return fmt.Sprintf("invalid JSON after byte %d", e.offset) }

// scanner reads JSON values one after the other, and checks them. It accepts what lenient does.
//
// A value is a part of the block that it was read into, so that it is not copied. One that does not end in its block
// moves to the next.
type scanner struct {
	src   io.Reader
	limit int    // bytes of a value, or of spaces
	block []byte // read from src; never written again
	at    int    // of block: behind the last value or bracket
	begin int64  // of block, in the file
	end   error  // of src, behind block; nil: there may be more

	open []byte // used again: what closes the brackets around a place
}

const (
	blockSize = 256 << 10
	maxDepth  = 10_000
)

// offset returns the offset in the file behind the last value or bracket.
func (s *scanner) offset() int64 { return s.begin + int64(s.at) }

// unread returns the part of the block behind the last value or bracket.
func (s *scanner) unread() []byte { return s.block[s.at:] }

// more reads on, into a new block.
func (s *scanner) more() error {
	rest := s.unread()
	switch {
	case s.end != nil:
		return s.end
	case len(rest) > s.limit:
		return errTooLarge
	}
	next := make([]byte, max(blockSize, min(2*len(rest), s.limit+blockSize)))
	n := copy(next, rest)
	for n < len(next) && s.end == nil {
		var read int
		read, s.end = s.src.Read(next[n:])
		n += read
	}
	s.begin += int64(s.at)
	if s.block, s.at = next[:n], 0; n == len(rest) {
		return s.end
	}
	return nil
}

// peek returns the first byte other than a space, from so far ahead on, and how far ahead it is; io.EOF at the end.
func (s *scanner) peek(ahead int) (byte, int, error) {
	for {
		rest := s.unread()
		if ahead = spaces(rest, ahead); ahead < len(rest) {
			return rest[ahead], ahead, nil
		}
		if err := s.more(); err != nil {
			return 0, ahead, err
		}
	}
}

// inside is peek where the file must not end.
func (s *scanner) inside(ahead int) (byte, int, error) {
	b, ahead, err := s.peek(ahead)
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return b, ahead, err
}

// next returns how far ahead the next element or member is of an array or object that closing ends. At its end it
// reads closing and returns false.
func (s *scanner) next(first bool, closing byte) (ahead int, more bool, err error) {
	b, ahead, err := s.inside(0)
	switch {
	case err != nil:
		return ahead, false, err
	case b == closing:
		s.take(ahead)
		return 0, false, nil
	case first:
		return ahead, true, nil
	case b != ',':
		return ahead, false, s.malformed(ahead)
	}
	_, ahead, err = s.inside(ahead + 1)
	return ahead, err == nil, err
}

// name reads the name that begins so far ahead, and the colon behind it.
func (s *scanner) name(ahead int) ([]byte, error) {
	if s.unread()[ahead] != '"' {
		return nil, s.malformed(ahead)
	}
	name, err := s.value(ahead)
	if err != nil {
		return nil, err
	}
	b, ahead, err := s.inside(0)
	switch {
	case err != nil:
		return nil, err
	case b != ':':
		return nil, s.malformed(ahead)
	}
	s.take(ahead)
	return name, nil
}

// take reads the bracket or colon so far ahead.
func (s *scanner) take(ahead int) { s.at += ahead + 1 }

// malformed returns the error for a byte so far ahead.
func (s *scanner) malformed(ahead int) error { return &syntaxError{s.offset() + int64(ahead)} }

// value reads the value that begins so far ahead.
func (s *scanner) value(ahead int) ([]byte, error) {
	for {
		rest := s.unread()
		end, ok := s.scan(rest, ahead)
		switch {
		case ok:
			s.at += end
			return rest[ahead:end:end], nil
		case len(s.open) == maxDepth:
			return nil, errTooDeep
		case end < len(rest):
			return nil, s.malformed(end)
		}
		if err := s.more(); errors.Is(err, io.EOF) {
			return nil, io.ErrUnexpectedEOF
		} else if err != nil {
			return nil, err
		}
	}
}

// Each of the following returns the end of something that begins at i. False: it is malformed there, or goes on behind
// b if that is the end of b.

// scan returns the end of a value. A number at the end of b may go on.
func (s *scanner) scan(b []byte, i int) (end int, ok bool) {
	s.open = s.open[:0]
	for {
		if i = spaces(b, i); i == len(b) {
			return i, false
		}
		inside := false // of an object or array, before a member or element
		switch c := b[i]; c {
		case '"':
			i, ok = quoted(b, i+1)
		case '{', '[':
			i, inside, ok = s.opened(b, i)
		case 't':
			i, ok = literal(b, i, "true")
		case 'f':
			i, ok = literal(b, i, "false")
		case 'n':
			i, ok = literal(b, i, "null")
		default:
			i, ok = number(b, i)
		}
		for ok && !inside {
			last := len(s.open) - 1
			if last < 0 {
				return i, true
			}
			switch i = spaces(b, i); {
			case i == len(b):
				ok = false
			case b[i] == ',':
				i, inside = spaces(b, i+1), true
			case b[i] == s.open[last]:
				s.open = s.open[:last]
				i++
			default:
				ok = false
			}
		}
		if ok && s.open[len(s.open)-1] == '}' {
			i, ok = nameEnd(b, i)
		}
		if !ok {
			return i, false
		}
	}
}

// opened reads an opening bracket, and the closing one if nothing is between them. It returns whether something is.
func (s *scanner) opened(b []byte, i int) (end int, inside, ok bool) {
	if len(s.open) == maxDepth {
		return i, false, false
	}
	closing := b[i] + 2 // in ASCII
	switch i = spaces(b, i+1); {
	case i == len(b):
		return i, false, false
	case b[i] == closing:
		return i + 1, false, true
	}
	s.open = append(s.open, closing)
	return i, true, true
}

// isSpace are the bytes between values.
var isSpace = [256]bool{' ': true, '\t': true, '\n': true, '\r': true}

func spaces(b []byte, i int) (end int) {
	for i < len(b) && isSpace[b[i]] {
		i++
	}
	return i
}

// nameEnd returns the end of a name with its colon.
func nameEnd(b []byte, i int) (end int, ok bool) {
	if i == len(b) || b[i] != '"' {
		return i, false
	}
	if i, ok = quoted(b, i+1); !ok {
		return i, false
	}
	if i = spaces(b, i); i == len(b) || b[i] != ':' {
		return i, false
	}
	return i + 1, true
}

// quoted returns the end of a string behind its first quotation mark.
//
// It looks at eight bytes at a time for a quotation mark, a backslash and a control character: a byte is less than n if
// its highest bit is set when n is taken off, and was not before.
func quoted(b []byte, i int) (end int, ok bool) {
	const each, high = 0x0101010101010101, 0x8080808080808080
	for i < len(b) {
		if i+8 <= len(b) {
			w := binary.LittleEndian.Uint64(b[i : i+8])
			quote, backslash := w^'"'*each, w^'\\'*each
			found := ((w-' '*each)&^w | (quote-each)&^quote | (backslash-each)&^backslash) & high
			if found == 0 {
				i += 8
				continue
			}
			i += bits.TrailingZeros64(found) / 8
		}
		switch c := b[i]; {
		case c == '"':
			return i + 1, true
		case c == '\\':
			if i, ok = escape(b, i); !ok {
				return i, false
			}
		case c < ' ':
			return i, false
		default:
			i++
		}
	}
	return i, false
}

// isEscape are the bytes that stand for one behind a backslash.
var isEscape = [256]bool{
	'"': true, '\\': true, '/': true, 'b': true, 'f': true, 'n': true, 'r': true, 't': true,
}

func escape(b []byte, i int) (end int, ok bool) {
	if i++; i == len(b) {
		return i, false
	}
	switch c := b[i]; {
	case isEscape[c]:
		return i + 1, true
	case c != 'u':
		return i, false
	}
	for range 4 {
		if i++; i == len(b) || !isHex(b[i]) {
			return i, false
		}
	}
	return i + 1, true
}

func isHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f' }

func literal(b []byte, i int, word string) (end int, ok bool) {
	for n := range len(word) {
		if i == len(b) || b[i] != word[n] {
			return i, false
		}
		i++
	}
	return i, true
}

func number(b []byte, i int) (end int, ok bool) {
	if b[i] == '-' {
		i++
	}
	if i < len(b) && b[i] == '0' { // no other digit follows
		i, ok = i+1, true
	} else {
		i, ok = digits(b, i)
	}
	if ok && i < len(b) && b[i] == '.' {
		i, ok = digits(b, i+1)
	}
	if ok && i < len(b) && b[i]|0x20 == 'e' {
		if i++; i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		i, ok = digits(b, i)
	}
	return i, ok && i < len(b)
}

// digits returns the end of one or more digits.
func digits(b []byte, i int) (end int, ok bool) {
	end = i
	for end < len(b) && '0' <= b[end] && b[end] <= '9' {
		end++
	}
	return end, end > i
}
