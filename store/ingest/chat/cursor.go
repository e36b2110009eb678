package chat

import (
	"bytes"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// Cursor reads a JSON value that is known to be well-formed, such as those that Stream passes on, once from start to
// end. It is lenient: a value of an unexpected kind reads as empty, so that one odd field does not cost a conversation.
// Every method consumes exactly one value.
//
// It validates nothing, so it skips values as fast as it finds quotation marks, several times faster than a decoder. On
// malformed JSON its results are undefined, but it terminates.
type Cursor struct {
	data []byte
	at   int
}

// NewCursor returns a cursor before the value in data. data must not change while the cursor or a Span of it is in use.
func NewCursor(data []byte) *Cursor { return &Cursor{data: data} }

// JSONIn returns a cursor over the JSON object in the text s, and whether s is one: tools send JSON inside strings.
func JSONIn(s string) (*Cursor, bool) {
	s = strings.TrimSpace(s)
	if !strings.HasPrefix(s, "{") || !strings.HasSuffix(s, "}") {
		return nil, false
	}
	data := jsontext.Value(s)
	return NewCursor(data), data.IsValid(lenient...)
}

// Object calls visit with the name of each member and the cursor before its value, which visit may consume. False: the
// value is not an object.
func (c *Cursor) Object(visit func(name []byte)) bool {
	if !c.Is('{') {
		c.Skip()
		return false
	}
	c.at++
	for c.Is('"') {
		name := c.name()
		before := c.next()
		if visit(name); c.at == before {
			c.Skip()
		}
	}
	c.close('}')
	return true
}

// Array calls visit with the cursor before each element, which visit may consume. False: the value is not an array.
func (c *Cursor) Array(visit func()) bool {
	if !c.Is('[') {
		c.Skip()
		return false
	}
	c.at++
	for !c.Is(']') && c.at < len(c.data) {
		before := c.at
		if visit(); c.at == before {
			c.Skip()
		}
	}
	c.close(']')
	return true
}

// String returns a string, or a number as written; "" for other kinds.
func (c *Cursor) String() string {
	switch {
	case c.Is('"'):
		return unquote(c.quoted())
	case c.Is('0'):
		return string(c.scalar())
	}
	c.Skip()
	return ""
}

// Repeated is String, and takes no memory if that is known: most ids and names occur again and again.
func (c *Cursor) Repeated(known string) string {
	if !c.Is('"') {
		return c.String()
	}
	quoted := c.quoted()
	if string(quoted) == known && bytes.IndexByte(quoted, '\\') < 0 {
		return known
	}
	return unquote(quoted)
}

// Strings returns the strings of an array of strings.
func (c *Cursor) Strings() []string {
	var all []string
	c.Array(func() { all = append(all, c.String()) })
	return all
}

// Text is String, and adds to count.Scrubbed when the text had to be scrubbed.
func (c *Cursor) Text(count *Count) string {
	var s string
	if _, scrubbed := ScrubJSON(c.Span(func() { s = c.String() })); scrubbed {
		count.Scrubbed++
	}
	return s
}

// Time returns the time that a number or string stands for; see the function Time.
func (c *Cursor) Time() time.Time { return Time(c.String()) }

// Bool returns whether the value is true.
func (c *Cursor) Bool() bool {
	yes := c.Is('t')
	c.Skip()
	return yes
}

// IsZero returns whether the value is the number zero.
func (c *Cursor) IsZero() bool {
	if !c.Is('0') {
		c.Skip()
		return false
	}
	n, err := strconv.ParseFloat(string(c.scalar()), 64)
	return err == nil && n == 0
}

// Is reports whether the next value is of a kind, given by its first character: { [ " t f n, or 0 for a number.
func (c *Cursor) Is(kind byte) bool {
	c.next()
	if c.at >= len(c.data) {
		return false
	}
	b := c.data[c.at]
	return b == kind || kind == '0' && (b == '-' || '0' <= b && b <= '9')
}

// Span calls visit, which consumes one value, and returns the JSON of that value, a slice of the cursor's data.
func (c *Cursor) Span(visit func()) []byte {
	from := c.next()
	visit()
	return c.data[from:c.at:c.at]
}

// Skip skips the value.
func (c *Cursor) Skip() {
	for depth := 0; c.next() < len(c.data); {
		switch c.data[c.at] {
		case '"':
			c.quoted()
		case '{', '[':
			c.at++
			depth++
		case '}', ']':
			c.at++
			depth--
		default:
			c.scalar()
		}
		if depth <= 0 {
			return
		}
	}
}

// next moves to the next value or bracket and returns its offset. In well-formed JSON, commas and colons carry no
// information.
func (c *Cursor) next() int {
	for c.at < len(c.data) {
		switch c.data[c.at] {
		case ' ', '\t', '\r', '\n', ',', ':':
			c.at++
		default:
			return c.at
		}
	}
	return c.at
}

func (c *Cursor) close(bracket byte) {
	if c.Is(bracket) {
		c.at++
		return
	}
	c.at = len(c.data)
}

func (c *Cursor) name() []byte {
	quoted := c.quoted()
	if bytes.IndexByte(quoted, '\\') >= 0 {
		return []byte(unquote(quoted))
	}
	return quoted
}

// quoted skips a string and returns the bytes between its quotation marks.
func (c *Cursor) quoted() []byte {
	c.at++
	from := c.at
	for {
		n := bytes.IndexByte(c.data[c.at:], '"')
		if n < 0 {
			c.at = len(c.data)
			return c.data[from:]
		}
		c.at += n + 1
		if !escaped(c.data[from : c.at-1]) {
			return c.data[from : c.at-1]
		}
	}
}

// escaped reports whether the byte after b is escaped: b ends with an odd number of backslashes.
func escaped(b []byte) bool {
	n := len(b)
	for n > 0 && b[n-1] == '\\' {
		n--
	}
	return (len(b)-n)%2 == 1
}

// scalar skips a number, true, false or null.
func (c *Cursor) scalar() []byte {
	from := c.at
	for c.at++; c.at < len(c.data); c.at++ {
		switch c.data[c.at] {
		case ' ', '\t', '\r', '\n', ',', ':', '}', ']', '{', '[', '"':
			return c.data[from:c.at]
		}
	}
	return c.data[from:c.at]
}
