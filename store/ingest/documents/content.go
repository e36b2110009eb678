package documents

import (
	"bytes"
	"strconv"
)

// operand is an operand of a content stream that matters for text: a number, a string, a name, or a list of them.
type operand struct {
	kind   operandKind
	number float64
	text   string // of a string or a name
	list   []operand
}

type operandKind uint8

const (
	isOther operandKind = iota
	isNumber
	isString
	isName
	isList
)

// content reads a content stream (ISO 32000-1, 7.8.2). It terminates for any input.
type content struct {
	data []byte
	at   int
	args []operand
}

// maxOperands bounds the operands kept for an operator. No operator takes more; a list counts as one.
const maxOperands = 64

// next returns the next operator, with its operands in args; false at the end.
func (c *content) next() (operator string, more bool) {
	for c.args = c.args[:0]; c.skip(); {
		if word, is := c.operator(); is {
			if word == "ID" {
				c.skipImage()
			}
			return word, true
		}
		arg := c.operand(0)
		if len(c.args) == maxOperands {
			c.args = append(c.args[:0], c.args[1:]...)
		}
		c.args = append(c.args, arg)
	}
	return "", false
}

// skip moves to the next token, past white space and comments; false at the end.
func (c *content) skip() bool {
	for ; c.at < len(c.data); c.at++ {
		switch b := c.data[c.at]; {
		case b == '%':
			if n := bytes.IndexAny(c.data[c.at:], "\r\n"); n >= 0 {
				c.at += n
			} else {
				c.at = len(c.data) - 1
			}
		case !isBlank(b):
			return true
		}
	}
	return false
}

// operator returns the next token if it is an operator.
func (c *content) operator() (string, bool) {
	switch b := c.data[c.at]; {
	case isDelimiter(b), b >= '0' && b <= '9', b == '+', b == '-', b == '.':
		return "", false
	}
	return c.regular(), true
}

// regular returns the characters up to the next delimiter or white space.
func (c *content) regular() string {
	from := c.at
	for c.at < len(c.data) && !isBlank(c.data[c.at]) && !isDelimiter(c.data[c.at]) {
		c.at++
	}
	return string(c.data[from:c.at])
}

// operand reads one operand, or skips one stray character.
func (c *content) operand(depth int) operand {
	switch b := c.data[c.at]; b {
	case '(':
		return operand{kind: isString, text: c.literal()}
	case '/':
		c.at++
		return operand{kind: isName, text: c.regular()}
	case '[':
		c.at++
		return c.array(depth + 1)
	case '<':
		if c.at+1 < len(c.data) && c.data[c.at+1] == '<' {
			c.at += 2
			return operand{}
		}
		return operand{kind: isString, text: c.hex()}
	case ')', '>', ']', '{', '}':
		c.at++
		return operand{}
	}
	n, err := strconv.ParseFloat(c.regular(), 64)
	if err != nil {
		return operand{}
	}
	return operand{kind: isNumber, number: n}
}

// array reads a list up to its closing bracket. Lists inside lists never show text.
func (c *content) array(depth int) operand {
	list := operand{kind: isList}
	for c.skip() {
		if c.data[c.at] == ']' {
			c.at++
			break
		}
		if c.data[c.at] == '[' && depth > 1 {
			c.at++
			continue
		}
		if _, is := c.operator(); !is {
			list.list = append(list.list, c.operand(depth))
		}
	}
	return list
}

// literal reads a string in parentheses.
func (c *content) literal() string {
	var s []byte
	depth := 0
	for c.at < len(c.data) {
		b := c.data[c.at]
		c.at++
		switch b {
		case '(':
			if depth++; depth == 1 {
				continue
			}
		case ')':
			if depth--; depth == 0 {
				return string(s)
			}
		case '\\':
			s = c.escaped(s)
			continue
		}
		s = append(s, b)
	}
	return string(s)
}

// escaped appends the character of an escape sequence to s.
func (c *content) escaped(s []byte) []byte {
	if c.at == len(c.data) {
		return s
	}
	b := c.data[c.at]
	c.at++
	switch b {
	case 'n':
		return append(s, '\n')
	case 'r':
		return append(s, '\r')
	case 't':
		return append(s, '\t')
	case 'b', 'f', '\n':
		return s
	case '\r':
		if c.at < len(c.data) && c.data[c.at] == '\n' {
			c.at++
		}
		return s
	}
	if b < '0' || b > '7' {
		return append(s, b)
	}
	code := b - '0'
	for n := 0; n < 2 && c.at < len(c.data) && c.data[c.at] >= '0' && c.data[c.at] <= '7'; n++ {
		code = code<<3 | (c.data[c.at] - '0')
		c.at++
	}
	return append(s, code)
}

// hex reads a string of hexadecimal digits. An odd last digit is followed by 0.
func (c *content) hex() string {
	var s []byte
	half, digits := byte(0), 0
	for c.at++; c.at < len(c.data); c.at++ {
		b := c.data[c.at]
		if b == '>' {
			c.at++
			break
		}
		digit, err := strconv.ParseUint(string(b), 16, 8)
		if err != nil {
			continue
		}
		if digits++; digits%2 == 1 {
			half = byte(digit) << 4
		} else {
			s = append(s, half|byte(digit))
		}
	}
	if digits%2 == 1 {
		s = append(s, half)
	}
	return string(s)
}

// skipImage skips the bytes of an inline image.
func (c *content) skipImage() {
	for c.at < len(c.data) {
		n := bytes.Index(c.data[c.at:], []byte("EI"))
		if n < 0 {
			c.at = len(c.data)
			return
		}
		before, after := c.at+n-1, c.at+n+2
		c.at = after
		if isBlank(c.data[before]) && (after == len(c.data) || isBlank(c.data[after])) {
			return
		}
	}
}

func isBlank(b byte) bool {
	return b == ' ' || b == '\n' || b == '\r' || b == '\t' || b == '\f' || b == 0
}

func isDelimiter(b byte) bool { return bytes.IndexByte([]byte("()<>[]{}/%"), b) >= 0 }
