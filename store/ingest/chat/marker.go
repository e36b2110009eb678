package chat

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// markerKinds are the kinds of markers seen in exports.
var markerKinds = map[string]bool{
	"cite": true, "filecite": true, "navlist": true, "entity": true, "product_entity": true,
	"image_group": true, "genui": true, "link_title": true,
}

// maxPlain bounds the payload of a marker without JSON: a longer one is text after a missing U+E201.
const maxPlain = 1000

// readMarker reads the marker that s begins with. It returns the marker's visible text, and its length.
func readMarker(s string) (text string, n int) {
	body := s[len(markerOpen):]
	if i := strings.Index(body, markerOpen); i >= 0 {
		body = body[:i]
	}
	kind := kindOf(body)
	payload := body[len(kind):]
	if !strings.HasPrefix(payload, markerNext) {
		if kind != "" && strings.HasPrefix(payload, markerClose) {
			return "", len(markerOpen) + len(kind) + len(markerClose)
		}
		return "", len(markerOpen) // not a marker: text follows
	}
	n = len(markerOpen) + len(kind)
	size, closing := payloadSize(kind, payload)
	return visibleText(kind, strings.Split(payload[:size], markerNext)[1:]), n + size + closing
}

func kindOf(s string) string {
	for i := range len(s) {
		if c := s[i]; c != '_' && (c < 'a' || c > 'z') {
			return s[:i]
		}
	}
	return s
}

func holdsJSON(kind string) bool {
	return kind == "entity" || kind == "product_entity" || kind == "image_group" || kind == "genui"
}

// payloadSize returns how many bytes of s, which begins with U+E202, are payload, and the length of the U+E201 after
// it. When that is missing, the payload ends where prose may begin: after a JSON value, or after references.
func payloadSize(kind, s string) (size, closing int) {
	if i := strings.Index(s, markerClose); i >= 0 {
		if holdsJSON(kind) || i <= maxPlain && !strings.Contains(s[:i], "\n\n") {
			return i, len(markerClose)
		}
	}
	if holdsJSON(kind) {
		dec := jsontext.NewDecoder(strings.NewReader(s[len(markerNext):]), lenient...)
		if _, err := dec.ReadValue(); err == nil {
			return len(markerNext) + int(dec.InputOffset()), 0
		}
	}
	for strings.HasPrefix(s[size:], markerNext) {
		rest := s[size+len(markerNext):]
		field := len(reference().FindString(rest))
		if i := strings.Index(rest, markerNext); field == 0 && i >= 0 && i <= maxPlain {
			field = i // another field follows, so this one ends there
		}
		size += len(markerNext) + field
	}
	return size, 0
}

// visibleText returns the text that a chat page shows for a marker.
func visibleText(kind string, fields []string) string {
	switch kind {
	case "entity", "product_entity":
		return secondOf(fields[0])
	case "link_title":
		return fields[0]
	case "genui":
		return formula(fields[0])
	}
	return ""
}

// secondOf returns the second string of a JSON array. In an entity it is the name; the first is its kind.
func secondOf(array string) string {
	if !jsontext.Value(array).IsValid(lenient...) {
		return ""
	}
	if all := NewCursor([]byte(array)).Strings(); len(all) > 1 {
		return all[1]
	}
	return ""
}

// formula returns the content of a mathematical widget, {"math…": {"content": "…"}}, as TeX.
func formula(widget string) string {
	c, ok := JSONIn(widget)
	if !ok {
		return ""
	}
	var tex string
	c.Object(func(name []byte) {
		if strings.HasPrefix(string(name), "math") {
			c.Object(func(name []byte) {
				if string(name) == "content" {
					tex = c.String()
				}
			})
		}
	})
	if tex == "" {
		return ""
	}
	return "$$" + tex + "$$"
}
