package chat

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// damageError is the error of a file that was read on after damaged JSON.
type damageError struct {
	offset int64 // of the first damage, in bytes
	bytes  int64 // that were skipped in all
	end    error // what ended the reading; nil: the end of the file
	isPart bool  // not all behind it was read
}

func (d *damageError) Error() string {
	skipped := fmt.Sprintf("invalid JSON after byte %d; %d bytes were skipped", d.offset, d.bytes)
	switch {
	case d.end != nil:
		return skipped + "; then: " + d.end.Error()
	case d.isPart:
		return skipped + ", and not all of the rest was read"
	}
	return skipped + ", and the rest was read"
}

// salvager looks for the next conversation behind damaged JSON: an object after a comma or bracket that begins with the
// same name as the one before, or at the beginning of a line, that is well-formed and a conversation. It looks at every
// byte, because damage may leave a string open. What it looks through is in memory, at most limit bytes of one object
// at a time.
type salvager struct {
	src     io.Reader
	refill  func() // allows src to be read further
	limit   int
	begins  []byte // what a conversation begins with: `{"title":`; empty: unknown
	lines   bool   // objects at the beginning of a line count, too, whatever they begin with
	accepts func(json []byte) bool

	inList bool // the conversation that was found is an element of an array

	data    []byte // of src, not yet skipped
	dropped int64  // bytes before data
	wasted  int    // bytes that were read for objects that are malformed
	ended   bool   // src is at its end
	closing bool   // only brackets that end something were seen
}

// find moves to the next conversation, which data then begins with, and reports whether there is one.
func (s *salvager) find() bool {
	const window = 4 << 10 // bytes of an object that show what it begins with
	last := byte(0)        // the last byte other than space
	begun := false         // only spaces since the last line ended
	s.closing = true
	for at := 0; ; {
		if len(s.data)-at < window && !s.ended {
			s.drop(&at)
			s.refill()
			s.more()
			continue
		}
		if at >= len(s.data) || s.wasted > s.limit {
			return false
		}
		b := s.data[at]
		follows := (last == ',' || last == '[') && s.isBegin(s.data[at:min(at+window, len(s.data))])
		if b == '{' && (follows || s.lines && begun) {
			if end, found := s.try(at); found {
				s.inList = !s.lines || s.isElement(end)
				s.drop(&at)
				return true
			} else if end > at {
				at, last, begun, s.closing = end, '}', false, false
				continue
			}
		}
		switch b {
		case '\n':
			begun = true
		case ' ', '\t', '\r':
		default:
			last, begun = b, false
			s.closing = s.closing && (b == ']' || b == '}')
		}
		at++
	}
}

// drop forgets the bytes before at.
func (s *salvager) drop(at *int) {
	s.dropped += int64(*at)
	s.data = append([]byte(nil), s.data[*at:]...)
	*at = 0
}

// more reads more of src.
func (s *salvager) more() {
	block := make([]byte, 32<<10)
	n, err := io.ReadFull(s.src, block)
	s.data = append(s.data, block[:n]...)
	s.ended = err != nil
}

// isBegin reports whether an object begins as conversations do, apart from spaces.
func (s *salvager) isBegin(object []byte) bool { return bytes.HasPrefix(compactName(object), s.begins) }

// compactName returns the beginning of an object up to its first colon, without spaces.
func compactName(object []byte) []byte {
	name, _, found := bytes.Cut(object, []byte(":"))
	if !found {
		return nil
	}
	return append(bytes.Join(bytes.Fields(name), nil), ':')
}

// try reads the object at a place. It returns its end, and whether it is a conversation; 0 if it is malformed.
func (s *salvager) try(at int) (end int, found bool) {
	in := &ahead{s: s, at: at}
	s.refill()
	dec := jsontext.NewDecoder(in, lenient...)
	value, err := dec.ReadValue()
	if err != nil {
		s.wasted += in.at - at
		return 0, false
	}
	return at + int(dec.InputOffset()), s.accepts(bytes.Clone(value))
}

// isElement reports whether an object that ends at a place is an element of an array: one in a line of its own may
// follow an open bracket of damaged JSON, too. It looks behind few spaces, since they stay in memory.
func (s *salvager) isElement(end int) bool {
	const most = 256 << 10 // bytes
	for from := end; end-from < most && (end < len(s.data) || !s.ended); end++ {
		if end >= len(s.data) {
			s.refill()
			s.more()
			end--
			continue
		}
		switch s.data[end] {
		case ' ', '\t', '\r', '\n':
		default:
			return s.data[end] == ',' || s.data[end] == ']'
		}
	}
	return false
}

// ahead reads data, and src behind it, without skipping anything.
type ahead struct {
	s  *salvager
	at int
}

func (a *ahead) Read(p []byte) (int, error) {
	if a.at >= len(a.s.data) {
		if a.s.ended {
			return 0, io.EOF
		}
		a.s.more()
	}
	n := copy(p, a.s.data[a.at:])
	a.at += n
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// salvageOutside is salvage for damage outside of arrays: in a line, or in what wraps an array.
func (s *splitter) salvageOutside(err error) bool { return !s.lost && s.salvage(err, true) }

// unlessAdrift returns nil for what follows the end of an array that a salvage entered from outside: what wraps it.
func (s *splitter) unlessAdrift(err error) error {
	var syntax *jsontext.SyntacticError
	isSyntax := errors.As(err, &syntax) && !errors.Is(err, io.ErrUnexpectedEOF)
	if s.adrift && (isSyntax || errors.Is(err, errScalar)) {
		s.damage.isPart = !s.closed
		return nil
	}
	return err
}

// salvage moves on to the next conversation after err, of the array or, with lines, at the beginning of a line, and
// reports whether there is one.
func (s *splitter) salvage(err error, lines bool) bool {
	var syntax *jsontext.SyntacticError
	isScalar := lines && errors.Is(err, errScalar)
	if s.accepts == nil || !isScalar && !errors.As(err, &syntax) || errors.Is(err, io.ErrUnexpectedEOF) ||
		syntax != nil && syntax.Err != nil && strings.Contains(syntax.Err.Error(), "max depth") {
		return false
	}
	start := s.base + s.dec.InputOffset()
	from := start // of what is skipped
	if lines {
		from = s.taken
	}
	find := &salvager{
		src: s.rest, refill: s.in.refill, limit: s.in.limit, begins: s.begins, accepts: s.accepts,
		data: bytes.Clone(s.dec.UnreadBuffer()), lines: lines,
	}
	if s.lost = !find.find(); s.lost {
		s.closed = find.closing
		return false
	}
	if s.damage == nil {
		s.damage = &damageError{offset: from}
	}
	s.damage.bytes += start - from + find.dropped
	s.rest.unread(find.data, nil)
	var open []byte
	switch s.inList = lines && find.inList; {
	case !lines:
		open = opening(s.dec)
	case s.inList:
		open = []byte("[")
	}
	return s.resume(open, start+find.dropped) == nil
}
