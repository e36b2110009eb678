// Package explain describes errors to clients on other machines.
package explain

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"lens/internal/errs"
)

// ForClient describes an error to a client on another machine, without the location of the archive and the number of
// tries left to unlock it. "" means that the client may see only the code.
func ForClient(err error) string {
	if errs.CodeOf(err) == errs.Locked || slices.ContainsFunc(places, func(p string) bool { return errs.From(err, p) }) {
		return ""
	}
	f := errs.Describe(err)[0]
	if f.Message == "" {
		return ""
	}
	return strings.TrimSpace(sentence(f.Message) + " " + sentence(f.Hint))
}

// places are the packages and operations whose errors may contain the location of an archive or an index.
var places = []string{"postgres", "sqlite", "vault", "open archive", "folder", "s3", "cache"}

// sentence capitalizes text and ends it with a full stop; "" stays "".
func sentence(text string) string {
	text = strings.TrimRight(text, ".")
	if text == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:] + "."
}
