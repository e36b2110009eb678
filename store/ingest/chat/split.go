package chat

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// MaxConversation bounds the JSON of one conversation, in bytes, and so the memory that a hostile file can take.
const MaxConversation = 256 << 20

// lenient accepts what ScrubJSON repairs, and repeated names, as a scanner does.
var lenient = []jsontext.Options{jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)}

var (
	errTooLarge = errors.New("conversation too large")
	errScalar   = errors.New("neither array nor object")
	errEmpty    = errors.New("empty file")
	errStopped  = errors.New("consumer stopped")
)

// split calls emit with the JSON of each conversation in r, which is well-formed, at most limit bytes long and emit's
// to keep. It returns nil at the end of the input and when emit returns false. A file may hold several values in a row:
// parts joined with cat, or one conversation per line. Behind malformed JSON it goes on with the next element or line
// that accepts says is a conversation, and returns a *damageError at the end; nil accepts none.
func split(r io.Reader, limit int, accepts, emit func(json []byte) bool) error {
	return splitWith(r, limit, (*splitter).wrapperOrConversation, accepts, emit)
}

// splitWith is split with a reader of the objects outside of arrays, which begin so far ahead.
func splitWith(
	r io.Reader, limit int, object func(s *splitter, ahead int) error, accepts, emit func(json []byte) bool,
) error {
	s := splitter{scanner: scanner{src: withoutBOM(r), limit: limit}, emit: emit, object: object, accepts: accepts}
	err := s.files()
	if errors.Is(err, errStopped) {
		return nil
	}
	if s.damage == nil {
		return err
	}
	s.damage.end = err
	return s.damage
}

// files reads all top-level values.
func (s *splitter) files() error {
	for first := true; ; first = false {
		s.taken = s.offset()
		err := s.file()
		switch {
		case errors.Is(err, io.EOF) && !first:
			return nil
		case errors.Is(err, io.EOF):
			return errEmpty
		case err != nil && !s.salvageOutside(err):
			return s.unlessAdrift(err)
		}
	}
}

type splitter struct {
	scanner
	emit func([]byte) bool

	object func(s *splitter, ahead int) error // reads an object outside of arrays

	accepts func([]byte) bool // whether JSON is a conversation; nil: stop at malformed JSON
	begins  []byte            // what the last conversation begins with
	damage  *damageError
	taken   int64 // offset up to which everything was emitted or skipped, outside of arrays
	lost    bool  // nothing more was found behind damage
	inList  bool  // the next value is an element, of an array that a salvage entered
	adrift  bool  // that array ended: only what is around it may follow
}

// file reads one top-level value; io.EOF at the end.
func (s *splitter) file() error {
	if s.inList {
		return s.elements()
	}
	b, ahead, err := s.peek(0)
	switch {
	case err != nil:
		return err
	case b == '[':
		return s.array(ahead)
	case b == '{':
		return s.object(s, ahead)
	case b == '"', b == '-', '0' <= b && b <= '9', b == 't', b == 'f', b == 'n':
		return errScalar
	}
	return s.malformed(ahead)
}

// one emits the value that begins so far ahead.
func (s *splitter) one(ahead int) error {
	value, err := s.value(ahead)
	switch {
	case err != nil:
		return err
	case !s.emit(value):
		return errStopped
	case value[0] == '{':
		s.begins = compactName(value[:min(len(value), 256)])
	}
	return nil
}

func (s *splitter) array(ahead int) error {
	s.take(ahead)
	return s.elements()
}

// elements reads the elements of an array whose bracket was read, and its end.
func (s *splitter) elements() error {
	for first := true; ; first = false {
		ahead, more, err := s.next(first, ']')
		if err == nil && !more {
			break
		}
		if err == nil {
			err = s.one(ahead)
		}
		for err != nil {
			if !s.salvage(err, false) {
				return err
			}
			err = s.one(0)
		}
	}
	s.adrift, s.inList = s.adrift || s.inList, false
	s.taken = s.offset()
	return nil
}

// wrapperOrConversation reads either a wrapper around the array "conversations" or a conversation. Only its members
// show which, so it collects them until then.
func (s *splitter) wrapperOrConversation(ahead int) error {
	s.take(ahead)
	object, wrapper := []byte{'{'}, false
	for first := true; ; first = false {
		ahead, more, err := s.next(first, '}')
		if err != nil {
			return err
		}
		if !more {
			break
		}
		name, err := s.name(ahead)
		if err != nil {
			return err
		}
		b, ahead, err := s.inside(0)
		if err != nil {
			return err
		}
		if string(name) == `"conversations"` && b == '[' {
			if err := s.array(ahead); err != nil {
				return err
			}
			wrapper = true
			continue
		}
		value, err := s.value(ahead)
		if err != nil {
			return err
		}
		if !wrapper {
			object = append(append(append(append(object, name...), ':'), value...), ',')
		}
		if len(object) > s.limit {
			return errTooLarge
		}
	}
	if wrapper {
		return nil
	}
	if !s.emit(append(bytes.TrimSuffix(object, []byte{','}), '}')) {
		return errStopped
	}
	return nil
}

// limitedReader fails after limit bytes.
type limitedReader struct {
	r     io.Reader
	limit int
	used  int
}

func (q *limitedReader) Read(p []byte) (int, error) {
	if q.used > q.limit {
		return 0, errTooLarge
	}
	n, err := q.r.Read(p)
	q.used += n
	return n, err
}

// Limit returns a reader that fails with an error for ReadFailed after limit bytes of r: for a format that needs the
// whole file to make its first conversation.
func Limit(r io.Reader, limit int) io.Reader { return &limitedReader{r: r, limit: limit} }

// withoutBOM drops the byte order mark that some editors write before UTF-8.
func withoutBOM(r io.Reader) io.Reader {
	b := bufio.NewReaderSize(r, 64<<10)
	if mark, _ := b.Peek(3); string(mark) == "\xEF\xBB\xBF" {
		_, _ = b.Discard(3)
	}
	return b
}
