package explain

import (
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"lens/internal/errs"
)

// ForClient describes an error to a client on another machine, without the location of the archive and the number of
// tries left to unlock it. "" means that the client may see only the code.
func ForClient(err error) string {
	var known *errs.Error
	if errs.CodeOf(err) == errs.Locked || errors.As(err, &known) && isOfPlace(known.Op) {
		return ""
	}
	f := Error(err)[0]
	if f.Message == "" {
		return ""
	}
	return strings.TrimSpace(sentence(f.Message) + " " + sentence(f.Hint))
}

// isOfPlace reports whether the errors of an operation may contain the location of an archive or an index.
func isOfPlace(op string) bool {
	place, _, _ := strings.Cut(op, ":")
	return slices.Contains([]string{"postgres", "sqlite", "open archive", "folder", "s3", "cache"}, place)
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
