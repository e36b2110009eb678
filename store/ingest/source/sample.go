package source

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Sample is the beginning of a file, as far as it takes to tell formats apart. Its JSON is cut down to a few members,
// elements and characters, so that it is small for any file.
type Sample struct {
	Name string // of the file, without its folders
	Head []byte // the first bytes, at most headBytes

	// Values are the JSON values that the file begins with: one, or one for each of the first lines of a JSON Lines file.
	// The last one may be cut short. Lines that are not JSON are left out.
	Values []Value

	Damaged bool // JSON breaks off or is malformed within the sample

	Database *Database // open while formats are asked whether they match; nil: it is none
}

// Limits of a sample.
const (
	headBytes   = 1 << 20  // HTML may have long styles before its first words
	maxSampled  = 16 << 20 // bytes that are read; a title may be absurdly long
	maxValues   = 20_000   // JSON values that are kept in all
	maxElements = 50       // that are kept of an array or object, and lines of a file
	maxText     = 1 << 10  // bytes that are kept of a string
	maxDepth    = 12       // of values that are kept
)

// NewSample reads the beginning of a file of size bytes. Its error is one of reading, never one of the content.
func NewSample(name string, size int64, r io.Reader) (*Sample, error) {
	limited := &readError{Reader: io.LimitReader(r, maxSampled)}
	in := bufio.NewReaderSize(limited, int(min(size, headBytes)))
	if mark, _ := in.Peek(3); string(mark) == "\xEF\xBB\xBF" {
		_, _ = in.Discard(3)
	}
	head, _ := in.Peek(in.Size())
	s := &Sample{Name: path.Base(name), Head: bytes.Clone(head)}
	t := taker{left: maxValues}
	switch start := bytes.TrimLeft(head, " \t\r\n"); {
	case isLinesName(s.Name), isLines(start):
		s.Values = t.lines(in)
	case len(start) > 0 && (start[0] == '{' || start[0] == '['):
		var err error
		s.Values, err = t.values(in)
		s.Damaged = err != nil && !errors.Is(err, errEnough) && !errors.Is(err, io.EOF)
	}
	return s, limited.err
}

// readError remembers the first error of a reader other than its end.
type readError struct {
	io.Reader
	err error
}

func (r *readError) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) && r.err == nil {
		r.err = err
	}
	return n, err
}

// isLinesName reports whether a file is called JSON Lines: its first line may be damaged.
func isLinesName(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == ".jsonl" || ext == ".ndjson"
}

// isLines reports whether JSON begins with a line that is a value of its own, and goes on behind it.
func isLines(head []byte) bool {
	line, rest, more := bytes.Cut(head, []byte("\n"))
	return more && len(bytes.TrimSpace(rest)) > 0 && len(line) > 0 && line[0] == '{' && isJSON(line)
}

func isJSON(b []byte) bool {
	return jsontext.Value(b).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// taker takes JSON values into a sample until there are enough.
type taker struct {
	dec  *jsontext.Decoder
	left int
}

var errEnough = errors.New("enough was read")

func (t *taker) reset(r io.Reader) {
	t.dec = jsontext.NewDecoder(r, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// values takes the values of a file whose first line is not one.
func (t *taker) values(r io.Reader) (all []Value, err error) {
	t.reset(r)
	for len(all) < maxElements {
		v, err := t.value(0)
		if v.kind != 0 {
			all = append(all, v)
		}
		if err != nil {
			return all, err
		}
	}
	return all, nil
}

// lines takes one value of each line.
func (t *taker) lines(r *bufio.Reader) (all []Value) {
	for len(all) < maxElements && t.left > 0 {
		line, err := r.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			t.reset(bytes.NewReader(line))
			if v, _ := t.value(0); v.kind == '{' {
				all = append(all, v)
			}
		}
		if err != nil {
			break
		}
	}
	return all
}

// value takes the next value. With an error it returns what there is of it.
func (t *taker) value(depth int) (v Value, err error) {
	if t.left--; t.left < 0 {
		return v, errEnough
	}
	kind := t.dec.PeekKind()
	if depth == maxDepth && (kind == '{' || kind == '[') {
		return v, t.dec.SkipValue()
	}
	token, err := t.dec.ReadToken()
	if err != nil {
		return v, err
	}
	v.kind = byte(kind)
	switch kind {
	case '{':
		err = t.members(&v, depth)
	case '[':
		err = t.elements(&v, depth)
	case '"', '0':
		text := token.String()
		v.text = text[:min(len(text), maxText)]
	}
	return v, err
}

func (t *taker) members(v *Value, depth int) error {
	for t.dec.PeekKind() != '}' {
		token, err := t.dec.ReadToken()
		if err != nil {
			return err
		}
		if len(v.names) == maxElements {
			if err := t.dec.SkipValue(); err != nil {
				return err
			}
			continue
		}
		v.names = append(v.names, token.String())
		member, err := t.value(depth + 1)
		v.values = append(v.values, member)
		if err != nil {
			return err
		}
	}
	_, err := t.dec.ReadToken()
	return err
}

// elements takes the elements of an array. Of the outermost ones, the rest of the file is not read.
func (t *taker) elements(v *Value, depth int) error {
	for t.dec.PeekKind() != ']' {
		if len(v.values) == maxElements {
			if depth == 0 {
				return errEnough
			}
			if err := t.dec.SkipValue(); err != nil {
				return err
			}
			continue
		}
		element, err := t.value(depth + 1)
		if element.kind != 0 {
			v.values = append(v.values, element)
		}
		if err != nil {
			return err
		}
	}
	_, err := t.dec.ReadToken()
	return err
}

// Records returns the objects that may be conversations: the lines of a JSON Lines file, the elements of an array or of
// the array "conversations" of an object, or the only object.
func (s *Sample) Records() []Value {
	if len(s.Values) != 1 {
		return s.Values
	}
	v := s.Values[0]
	if list := v.Get("conversations"); list.IsArray() {
		v = list
	}
	if v.IsArray() {
		return v.Elements()
	}
	return s.Values
}

// Any reports whether is holds for any of the records.
func (s *Sample) Any(is func(Value) bool) bool {
	for _, v := range s.Records() {
		if is(v) {
			return true
		}
	}
	return false
}

// HasTable reports whether a database has a table with these columns.
func (s *Sample) HasTable(table string, columns ...string) bool {
	if s.Database == nil {
		return false
	}
	present, ok := s.Database.tables[table]
	return ok && !slices.ContainsFunc(columns, func(column string) bool { return !slices.Contains(present, column) })
}
