package input

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"lens/internal/errs"
	"lens/store"
)

// Limits of what is read to recognize a format. The title of one conversation may be absurdly long, but not that of
// all.
const (
	maxSniffed  = 256 << 20
	maxElements = 50
)

// Members of a conversation object that only one service has (decisive), and those that merely suggest one (hints).
var (
	decisive = map[string]store.Source{
		"mapping": store.ChatGPT, "current_node": store.ChatGPT, "conversation_id": store.ChatGPT,
		"chat_messages": store.Claude,
		"safeHtmlItem":  store.Gemini, "activityControls": store.Gemini, // any Google product: the parser picks Gemini's
	}
	hints = map[string]store.Source{"create_time": store.ChatGPT, "uuid": store.Claude}
)

// sniffFile is sniff for a file that may also be HTML. supported is false for HTML that is not Gemini's activity log.
func sniffFile(name string, r io.Reader) (format store.Source, supported bool, err error) {
	if !hasSuffixFold(name, ".html") {
		return sniff(r)
	}
	head := make([]byte, activityHead)
	n, err := io.ReadFull(r, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return "", false, err
	}
	return store.Gemini, IsActivity(head[:n]), nil
}

// activityHead is how many bytes of an HTML file are read to recognize it: long styles come first.
const activityHead = 1 << 20

// IsActivity reports whether HTML that begins with head is the activity log of Gemini or Bard.
func IsActivity(head []byte) bool {
	lower := bytes.ToLower(head)
	product := bytes.Contains(lower, []byte("gemini")) || bytes.Contains(lower, []byte("bard"))
	return product && bytes.Contains(lower, []byte("outer-cell"))
}

// sniff recognizes the service by the members of the first few conversations in r. supported is false for JSON objects
// that are not conversations of a supported service. When nothing decides (an empty list, invalid JSON), it returns
// ChatGPT, whose parser then reports the problem. err is a read error, never one of the JSON.
func sniff(r io.Reader) (format store.Source, supported bool, err error) {
	in := bufio.NewReader(io.LimitReader(r, maxSniffed))
	if mark, _ := in.Peek(3); string(mark) == "\xEF\xBB\xBF" {
		_, _ = in.Discard(3)
	}
	s := sniffer{dec: jsontext.NewDecoder(in, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))}
	_, err = s.value()
	var archive *errs.Error
	switch {
	case errors.As(err, &archive):
		return "", false, err
	case s.found != "":
		return s.found, true, nil
	case err == nil && s.objects > 0 && s.hint != store.ChatGPT: // Claude's have a decisive member
		return "", false, nil
	case s.hint != "":
		return s.hint, true, nil
	}
	return store.ChatGPT, true, nil
}

type sniffer struct {
	dec     *jsontext.Decoder
	found   store.Source
	hint    store.Source
	objects int
}

// value reads a top-level value, or the list in a wrapper. more is false when the format is known or the limit reached.
func (s *sniffer) value() (more bool, err error) {
	if s.dec.PeekKind() != '[' {
		return s.object()
	}
	if _, err := s.dec.ReadToken(); err != nil {
		return false, err
	}
	for n := 0; n < maxElements && s.dec.PeekKind() != ']'; n++ {
		if more, err := s.object(); err != nil || !more {
			return false, err
		}
	}
	return false, nil
}

func (s *sniffer) object() (more bool, err error) {
	if s.dec.PeekKind() != '{' {
		return true, s.dec.SkipValue()
	}
	s.objects++
	if _, err := s.dec.ReadToken(); err != nil {
		return false, err
	}
	for s.dec.PeekKind() != '}' {
		name, err := s.dec.ReadToken()
		if err != nil {
			return false, err
		}
		member := name.String()
		if source, ok := decisive[member]; ok {
			s.found = source
			return false, nil
		}
		if source, ok := hints[member]; ok {
			s.hint = source
		}
		if member == "conversations" && s.dec.StackDepth() == 1 && s.dec.PeekKind() == '[' {
			s.objects--
			return s.value()
		}
		if err := s.dec.SkipValue(); err != nil {
			return false, err
		}
	}
	_, err = s.dec.ReadToken()
	return true, err
}
