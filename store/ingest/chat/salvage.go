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
}

func (d *damageError) Error() string {
	skipped := fmt.Sprintf("invalid JSON after byte %d; %d bytes were skipped", d.offset, d.bytes)
	if d.end != nil {
		return skipped + "; then: " + d.end.Error()
	}
	return skipped + ", and the rest was read"
}

// salvager looks for the next conversation of an array behind damaged JSON: an object after a comma or bracket that
// begins with the same name as the one before, is well-formed, and is a conversation. It looks at every byte, because
// damage may leave a string open. What it looks through is in memory, at most limit bytes of one object at a time.
type salvager struct {
	src     io.Reader
	refill  func() // allows src to be read further
	limit   int
	begins  []byte // what a conversation begins with: `{"title":`; empty: unknown
	accepts func(json []byte) bool

	data    []byte // of src, not yet skipped
	dropped int64  // bytes before data
	wasted  int    // bytes that were read for objects that are malformed
	ended   bool   // src is at its end
}

// find moves to the next conversation, which data then begins with, and reports whether there is one.
func (s *salvager) find() bool {
	const window = 4 << 10 // bytes of an object that show what it begins with
	last := byte(0)        // the last byte other than space
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
		if b == '{' && (last == ',' || last == '[') && s.isBegin(s.data[at:min(at+window, len(s.data))]) {
			if end, found := s.try(at); found {
				s.drop(&at)
				return true
			} else if end > at {
				at, last = end, '}'
				continue
			}
		}
		if b != ' ' && b != '\n' && b != '\t' && b != '\r' {
			last = b
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
	block := make([]byte, 256<<10)
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

// salvage moves on to the next conversation of the array after err, and reports whether there is one.
func (s *splitter) salvage(err error) bool {
	var syntax *jsontext.SyntacticError
	if s.accepts == nil || !errors.As(err, &syntax) || errors.Is(err, io.ErrUnexpectedEOF) ||
		syntax.Err != nil && strings.Contains(syntax.Err.Error(), "max depth") {
		return false
	}
	start := s.base + s.dec.InputOffset()
	find := &salvager{
		src: s.rest, refill: s.in.refill, limit: s.in.limit, begins: s.begins, accepts: s.accepts,
		data: bytes.Clone(s.dec.UnreadBuffer()),
	}
	if !find.find() {
		return false
	}
	if s.damage == nil {
		s.damage = &damageError{offset: start}
	}
	s.damage.bytes += find.dropped
	s.rest = io.MultiReader(bytes.NewReader(find.data), s.rest)
	s.dec = jsontext.NewDecoder(io.MultiReader(strings.NewReader("["), s.rest), lenient...)
	s.base = start + find.dropped - 1
	_, err = s.dec.ReadToken()
	return err == nil
}
