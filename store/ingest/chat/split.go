package chat

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// MaxConversation bounds the JSON of one conversation, in bytes, and so the memory that a hostile file can take.
const MaxConversation = 256 << 20

// lenient accepts what ScrubJSON repairs, and repeated names.
var lenient = []jsontext.Options{jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)}

var (
	errTooLarge = errors.New("conversation too large")
	errScalar   = errors.New("neither array nor object")
	errEmpty    = errors.New("empty file")
	errStopped  = errors.New("consumer stopped")
)

// conversations is the array of most wrappers.
var conversations = []string{"conversations"}

// wrapperOf returns the reader of objects of which some are wrappers around these arrays.
func wrapperOf(lists []string) func(*splitter) error {
	return func(s *splitter) error { return s.wrapperOrConversation(lists) }
}

// split calls emit with the JSON of each conversation in r, which is well-formed, at most limit bytes long and emit's
// to keep; object reads the objects outside of arrays. It returns nil at the end of the input and when emit returns
// false. A file may hold several values in a row: parts joined with cat, or one conversation per line. Behind malformed
// JSON it goes on with the next element or line that accepts says is a conversation, and returns a *damageError at the
// end; nil accepts none.
func split(r io.Reader, limit int, object func(*splitter) error, accepts, emit func(json []byte) bool) error {
	in := &limitedReader{r: withoutBOM(r), limit: limit}
	rest := &unreader{src: in}
	s := splitter{
		dec: jsontext.NewDecoder(rest, lenient...), in: in, emit: emit, object: object, accepts: accepts, rest: rest,
	}
	err := s.files()
	if errors.Is(err, errStopped) {
		return nil
	}
	if syntax := new(jsontext.SyntacticError); errors.As(err, &syntax) {
		syntax.ByteOffset += s.base
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
		s.taken = s.base + s.dec.InputOffset()
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
	dec  *jsontext.Decoder
	in   *limitedReader
	emit func([]byte) bool

	object func(*splitter) error // reads an object outside of arrays

	accepts func([]byte) bool // whether JSON is a conversation; nil: stop at malformed JSON
	begins  []byte            // what the last conversation begins with
	rest    *unreader         // what dec reads
	base    int64             // offset in the file at which dec began
	damage  *damageError
	taken   int64 // offset up to which everything was emitted or skipped, outside of arrays
	lost    bool  // nothing more was found behind damage
	closed  bool  // and only brackets that end something are there
	inList  bool  // the next value is an element, of an array that a salvage entered from outside
	adrift  bool  // that array ended: only what is around it may follow
}

// file reads one top-level value; io.EOF at the end.
func (s *splitter) file() error {
	if s.inList {
		return s.elements()
	}
	switch s.dec.PeekKind() {
	case '[':
		return s.array()
	case '{':
		return s.object(s)
	case jsontext.KindInvalid:
		_, err := s.dec.ReadToken()
		return err
	}
	return errScalar
}

// one emits one value.
func (s *splitter) one() error {
	value, err := s.value()
	if err != nil {
		return err
	}
	return s.pass(value)
}

func (s *splitter) pass(value []byte) error {
	if !s.emit(value) {
		return errStopped
	}
	if value[0] == '{' {
		s.begins = compactName(value[:min(len(value), 256)])
	}
	return nil
}

func (s *splitter) array() error {
	if _, err := s.dec.ReadToken(); err != nil {
		return err
	}
	return s.elements()
}

// elements reads the elements of an array whose bracket was read, and its end.
func (s *splitter) elements() error {
	err := s.scan()
	for err == nil && s.dec.PeekKind() != ']' {
		if err = s.one(); err != nil && s.salvage(err, false) {
			err = s.scan()
		}
	}
	if err != nil {
		return err
	}
	_, err = s.dec.ReadToken()
	s.adrift, s.inList = s.adrift || s.inList, false
	s.taken = s.base + s.dec.InputOffset()
	return err
}

// scan emits the next elements of the array that dec is in, up to one that it leaves to a decoder, which then goes on
// there as if it had read those before.
func (s *splitter) scan() error {
	_, before := s.dec.StackIndex(s.dec.StackDepth())
	at := s.base + s.dec.InputOffset()
	window := append(make([]byte, 0, 128<<10), s.dec.UnreadBuffer()...)
	e := &elementScanner{src: s.rest, in: s.in, data: window, begun: before > 0}
	for value, ok := e.next(); ok; value, ok = e.next() {
		if err := s.pass(bytes.Clone(value)); err != nil {
			return err
		}
	}
	open := opening(s.dec)
	if e.begun {
		open = append(open, `""`...)
	}
	s.rest.unread(e.data[e.at:], e.err)
	return s.resume(open, at+e.passed)
}

// unreader reads data, which was read too far, and then src. However often that happens, a read passes one reader.
type unreader struct {
	data []byte
	err  error // of src, which comes behind data; nil: src goes on
	src  io.Reader
}

// unread makes the next reads return data, which it keeps, and then what they would have returned. A failure of src is
// returned behind it.
func (u *unreader) unread(data []byte, failure error) {
	if len(u.data) > 0 {
		data = append(data[:len(data):len(data)], u.data...)
	}
	u.data = data
	if failure != nil {
		u.err = failure
	}
}

func (u *unreader) Read(p []byte) (int, error) {
	if len(u.data) > 0 {
		n := copy(p, u.data)
		u.data = u.data[n:]
		return n, nil
	}
	if u.data = nil; u.err != nil { // the window is not needed any more
		return 0, u.err
	}
	return u.src.Read(p)
}

// opening returns JSON that brings a decoder as deep into an array as dec is.
func opening(dec *jsontext.Decoder) (open []byte) {
	for level := 1; level <= dec.StackDepth(); level++ {
		if kind, _ := dec.StackIndex(level); kind == '{' {
			open = append(open, `{"":`...)
		} else {
			open = append(open, '[')
		}
	}
	return open
}

// resume goes on with rest, which is at an offset in the file, as if open had been read before it.
func (s *splitter) resume(open []byte, at int64) error {
	s.base = at - int64(len(open))
	s.dec = jsontext.NewDecoder(io.MultiReader(bytes.NewReader(open), s.rest), lenient...)
	for s.dec.InputOffset() < int64(len(open)) {
		if _, err := s.dec.ReadToken(); err != nil {
			return err
		}
	}
	return nil
}

// value returns a copy of the next value.
func (s *splitter) value() ([]byte, error) {
	s.in.refill()
	value, err := s.dec.ReadValue()
	return bytes.Clone(value), err
}

// wrapperOrConversation reads either a wrapper around the arrays lists or a conversation. Only its members show which,
// so it collects them until then.
func (s *splitter) wrapperOrConversation(lists []string) error {
	if _, err := s.dec.ReadToken(); err != nil {
		return err
	}
	object, wrapper := []byte{'{'}, false
	for s.dec.PeekKind() != '}' {
		name, err := s.value()
		if err != nil {
			return err
		}
		if isAnyOf(name, lists) && s.dec.PeekKind() == '[' {
			if err := s.array(); err != nil {
				return err
			}
			wrapper = true
			continue
		}
		value, err := s.value()
		if err != nil {
			return err
		}
		if !wrapper {
			object = append(append(append(append(object, name...), ':'), value...), ',')
		}
		if len(object) > s.in.limit {
			return errTooLarge
		}
	}
	if _, err := s.dec.ReadToken(); err != nil || wrapper {
		return err
	}
	if !s.emit(append(bytes.TrimSuffix(object, []byte{','}), '}')) {
		return errStopped
	}
	return nil
}

// isAnyOf reports whether a quoted name is one of names.
func isAnyOf(quoted []byte, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return string(quoted) == `"`+name+`"` })
}

// limitedReader fails when more than limit bytes are read without a refill.
type limitedReader struct {
	r     io.Reader
	limit int
	used  int
}

func (q *limitedReader) refill() { q.used = 0 }

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
