package errs

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ForClient describes an error to a client on another machine, without the location of the archive and the number of
// tries left to unlock it. "" means that the client may see only the code.
func ForClient(err error) string {
	if err == nil || CodeOf(err) == Locked || NamesPlace(err) {
		return ""
	}
	f := Describe(err)[0]
	if f.Message == "" {
		return ""
	}
	return strings.TrimSpace(sentence(f.Message) + " " + sentence(f.Hint))
}

// NamesPlace reports whether an error may contain the location of an archive, an index, a model or a file of theirs.
func NamesPlace(err error) bool {
	return slices.ContainsFunc(places, func(p string) bool { return From(err, p) })
}

// Place is the operation of an error that names a place.
const Place = "open archive"

// places are the packages and operations whose errors may contain a location.
var places = []string{
	"postgres", "sqlite", "vault", "folder", "s3", "cache", "models", "config", "input", "import",
	Place, "close gate", "read beside the archive", "load chats", "keep chat", "open bucket",
}

// sentence capitalizes text and ends it with a full stop; "" stays "".
func sentence(text string) string {
	text = strings.TrimRight(text, ".")
	if text == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:] + "."
}
