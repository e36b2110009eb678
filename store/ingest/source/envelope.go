package source

import "strings"

// Envelope is context that a program puts before a person's words. One without an End is all that a text has.
type Envelope struct{ Start, End string }

// OwnWords returns what a person wrote in a text: the text without the envelopes that it begins with. Envelopes within
// other words are a person's own.
func OwnWords(text string, envelopes []Envelope) string {
	for {
		text = strings.TrimLeft(text, "\uFEFF \t\r\n")
		rest, found := open(text, envelopes)
		if !found {
			return text
		}
		text = rest
	}
}

// open returns what follows the envelope that a text begins with.
func open(text string, envelopes []Envelope) (rest string, found bool) {
	for _, e := range envelopes {
		if !strings.HasPrefix(text, e.Start) {
			continue
		}
		if e.End == "" {
			return "", true
		}
		_, rest, _ := strings.Cut(text, e.End) // one that does not end is all there is
		return rest, true
	}
	return text, false
}
