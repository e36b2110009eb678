package chat

import (
	"bytes"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// Cursor walks once over a JSON value that has been found well-formed (as what Stream hands out has) and takes what is asked for.
// It forgives: a value of another kind than expected reads as empty, because one odd field must not cost a conversation. Every
// method consumes exactly one value.
//
// Because nothing is left to be checked, it passes over what nobody asks for at the speed at which a quotation mark can be found,
// several times that of a decoder. On malformed JSON it returns something, and ends.
type Cursor struct {
	data []byte
	at   int
}

// NewCursor returns a cursor before the value in data, which must not change as long as the cursor or a Span of it is in use.
func NewCursor(data []byte) *Cursor { return &Cursor{data: data} }

// JSONIn returns a cursor over a JSON object that s holds as text, if it does: tools send JSON inside strings.
func JSONIn(s string) (*Cursor, bool) {
	s = strings.TrimSpace(s)
	if !strings.HasPrefix(s, "{") || !strings.HasSuffix(s, "}") {
		return nil, false
	}
	data := jsontext.Value(s)
	return NewCursor(data), data.IsValid(lenient...)
}

// Object calls visit with the name of each member and the cursor before its value, which visit may take or leave. False: the
// value is no object.
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

// Array calls visit with the cursor before each element, which visit may take or leave. False: the value is no array.
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

// String returns a string, or a number as it is written; "" for other kinds.
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

// Strings returns the strings of an array of strings.
func (c *Cursor) Strings() []string {
	var all []string
	c.Array(func() { all = append(all, c.String()) })
	return all
}

// Text is String for a text that is counted when it has to be scrubbed.
func (c *Cursor) Text(count *Count) string {
	var s string
	if _, scrubbed := ScrubJSON(c.Span(func() { s = c.String() })); scrubbed {
		count.Scrubbed++
	}
	return s
}

// Time returns the time that a number or a string means; see the function of that name.
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

// Is reports whether the next value is of a kind: { [ " t f n as they begin, or 0 for a number.
func (c *Cursor) Is(kind byte) bool {
	c.next()
	if c.at >= len(c.data) {
		return false
	}
	b := c.data[c.at]
	return b == kind || kind == '0' && (b == '-' || '0' <= b && b <= '9')
}

// Span calls take, which consumes one value, and returns the JSON of that value: a part of the cursor's data.
func (c *Cursor) Span(take func()) []byte {
	from := c.next()
	take()
	return c.data[from:c.at:c.at]
}

// Skip passes over the value.
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

// next moves to the next value or bracket and returns where that is. In well-formed JSON, commas and colons say nothing.
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

// quoted passes over a string and returns what is between its quotation marks.
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

// escaped reports whether what follows b is escaped: b ends with an odd number of backslashes.
func escaped(b []byte) bool {
	n := len(b)
	for n > 0 && b[n-1] == '\\' {
		n--
	}
	return (len(b)-n)%2 == 1
}

// scalar passes over a number, true, false or null.
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
