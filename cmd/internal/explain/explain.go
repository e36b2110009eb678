// Package explain describes errors to users.
package explain

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"lens/internal/errs"
	"lens/retrieval"
	"lens/retrieval/offline"
)

// Failure describes an error to a user, without the names of failed operations, which are for logs.
type Failure struct {
	Code    string // one of package store; "internal" for an unexpected error
	Message string // one sentence; "" for an unexpected error
	Hint    string // the next step; may be empty
}

// Error describes err to a user: one Failure for each error that was joined into it, none for nil.
func Error(err error) []Failure {
	f := Failure{Code: string(errs.CodeOf(err))}
	var sentences []string
	var all []Failure
	for err != nil {
		if joined, ok := err.(interface{ Unwrap() []error }); ok {
			for _, one := range joined.Unwrap() {
				all = append(all, Error(one)...)
			}
			if len(sentences) > 0 { // unexpected causes add nothing to the sentences so far
				all = slices.DeleteFunc(all, func(f Failure) bool { return f.Message == "" })
			}
			break
		}
		message, hint := messageOf(err)
		if message != "" && !slices.Contains(sentences, message) {
			sentences = append(sentences, message)
		}
		if f.Hint == "" {
			f.Hint = hint
		}
		err = errors.Unwrap(err)
	}
	if len(sentences) > 0 || len(all) == 0 && f.Code != "" {
		f.Message = strings.TrimSuffix(strings.Join(sentences, ": "), ".")
		all = append([]Failure{f}, all...)
	}
	return all
}

// messageOf returns the message and hint of err itself, without its cause.
func messageOf(err error) (message, hint string) {
	switch e := err.(type) {
	case *errs.Error:
		return inFile(e.Op, e.Message), e.Hint
	case *offline.Revert:
		message, hint = e.Describe()
		if cause := Error(e.Err); len(cause) > 0 {
			hint = cmp.Or(cause[0].Hint, hint)
		}
		if errors.Is(e.Err, retrieval.ErrNoModel) { // not the usual hint: a remote server cannot be used offline
			hint = "run lens model pull, then lens embed"
		}
		return message, hint
	}
	return "", ""
}

// inFile puts the file before the message of an import error, whose operation names it.
func inFile(op, message string) string {
	path, ok := strings.CutPrefix(op, "import: ")
	switch {
	case !ok:
		return message
	case message == "":
		return path
	}
	return path + ": " + message
}
