package chat

import (
	"regexp"
	"strings"

	"lens/internal/lazyregexp"
)

// Assistant texts contain markers that a chat page turns into links and widgets. A marker is written
//
//	U+E200 kind U+E202 payload (U+E202 payload)* U+E201
//
// U+E201 may be missing, and some exports spell the characters out as \ue200. Others strip the characters and leave
// "citeturn0search0". U+E203 and U+E204 enclose the text that a citation supports. Older citations look like
// 【12†source】.
const (
	markerOpen   = "\ue200"
	markerClose  = "\ue201"
	markerNext   = "\ue202"
	markerPrefix = "\xee\x88" // how all of these begin in UTF-8
)

var (
	oldestCitation = lazyregexp.New(`:contentReference\[oaicite:\d+\](?:\{index=\d+\})?`)
	oldCitation    = lazyregexp.New(`【\d+(?::\d+)?†[^】\n]{0,300}】`)
	// stripped is strict, because "cited" is a word.
	stripped  = lazyregexp.New(`(?:file)?cite(?:turn\d+[a-z]+\d+(?:L\d+(?:-L\d+)?)?)+`)
	reference = lazyregexp.New(`^(?:turn\d+[a-z]+\d+|L\d+)(?:-L?\d+)?`)
)

// CleanMarkers returns an assistant's text as the chat page showed it: names and titles inside markers stay; references
// go, and with them the space before. A text without markers is returned unchanged.
func CleanMarkers(s string) string {
	if strings.Contains(s, `\ue200`) {
		s = unspell(s)
	}
	if strings.Contains(s, markerPrefix) {
		s = cleanPrivate(s)
	}
	if strings.Contains(s, "【") {
		s = remove(s, oldCitation())
	}
	if !hasCite(s) { // as nearly all texts: one look for both
		return s
	}
	if strings.Contains(s, "oaicite:") {
		s = remove(s, oldestCitation())
	}
	if strings.Contains(s, "citeturn") {
		s = remove(s, stripped())
	}
	return s
}

// hasCite is strings.Contains(s, "cite"), which would stop at every c.
func hasCite(s string) bool {
	for {
		n := indexPair(s, 'c', 'i')
		if n < 0 {
			return false
		}
		if s = s[n:]; strings.HasPrefix(s, "cite") {
			return true
		}
		s = s[2:]
	}
}

func remove(s string, what *regexp.Regexp) string {
	all := what.FindAllStringIndex(s, -1)
	if all == nil {
		return s
	}
	var out closingBuilder
	done := 0
	for _, at := range all {
		out.WriteString(s[done:at[0]])
		done = at[1]
		out.gap(s[done:])
	}
	out.WriteString(s[done:])
	return out.String()
}

func cleanPrivate(s string) string {
	var out closingBuilder
	for {
		i := strings.Index(s, markerPrefix)
		if i < 0 {
			out.WriteString(s)
			return out.String()
		}
		out.WriteString(s[:i])
		s = s[i:]
		switch {
		case len(s) < len(markerOpen):
			return out.String()
		case strings.HasPrefix(s, markerOpen):
			text, n := readMarker(s)
			s = s[n:]
			if out.WriteString(text); text == "" {
				out.gap(s)
			}
		case strings.HasPrefix(s, markerNext): // a reference without its beginning
			s = s[len(markerNext):]
			s = s[len(reference().FindString(s)):]
			out.gap(s)
		case s[2] >= 0x80 && s[2] <= 0x86: // U+E200 to U+E206, alone
			s = s[len(markerOpen):]
		default: // another private-use character
			out.WriteString(s[:len(markerOpen)])
			s = s[len(markerOpen):]
		}
	}
}

// unspell replaces the spellings \ue200, \ue201 and \ue202 by the characters, but only in text that begins like a
// marker: people also write about the characters themselves.
func unspell(s string) string {
	var out strings.Builder
	inside := false
	for {
		i := strings.Index(s, `\ue20`)
		if i < 0 || i+6 > len(s) {
			out.WriteString(s)
			return out.String()
		}
		out.WriteString(s[:i])
		spelled := s[i : i+6]
		s = s[i+6:]
		if spelled == `\ue200` {
			kind := kindOf(s)
			inside = markerKinds[kind] && strings.HasPrefix(s[len(kind):], `\ue202`)
		}
		if last := spelled[5]; inside && last <= '2' && last >= '0' {
			out.WriteRune(0xE200 + rune(last-'0'))
			inside = last != '1'
		} else {
			out.WriteString(spelled)
		}
	}
}

// closingBuilder builds a text and closes the gaps that removed markers leave.
type closingBuilder struct{ b []byte }

func (c *closingBuilder) WriteString(s string) { c.b = append(c.b, s...) }
func (c *closingBuilder) String() string       { return string(c.b) }

// gap drops the spaces before a removed marker, when the following text needs none.
func (c *closingBuilder) gap(following string) {
	if following == "" || strings.ContainsRune(" \t\r\n.,;:!?)", rune(following[0])) {
		for len(c.b) > 0 && c.b[len(c.b)-1] == ' ' {
			c.b = c.b[:len(c.b)-1]
		}
	}
}
