package errs

import (
	"errors"
	"slices"
	"strings"
)

// Failure describes an error to a person, without the names of failed operations, which are for logs.
type Failure struct {
	Code    Code   // Internal for an unexpected error
	Message string // one sentence; "" for an unexpected error
	Hint    string // the next step; may be empty
}

// First is the first Failure of Describe, the zero value for nil.
func First(err error) Failure {
	if all := Describe(err); len(all) > 0 {
		return all[0]
	}
	return Failure{}
}

// Describe describes err to a person: one Failure for each error that was joined into it, none for nil. The messages
// of a chain become one sentence, outermost first; the outermost hint counts. Other errors add nothing, since
// their text may quote a query. What another server said follows the message in quotation marks.
func Describe(err error) []Failure {
	return describe(err, func(string) bool { return true })
}

// describe is Describe with only those words of other servers that may be quoted.
func describe(err error, quotable func(said string) bool) []Failure {
	f := Failure{Code: CodeOf(err)}
	var sentences []string
	var all []Failure
	for err != nil {
		if joined, ok := err.(interface{ Unwrap() []error }); ok {
			for _, one := range joined.Unwrap() {
				all = append(all, describe(one, quotable)...)
			}
			if len(sentences) > 0 { // unexpected causes add nothing to the sentences so far
				all = slices.DeleteFunc(all, func(f Failure) bool { return f.Message == "" })
			}
			break
		}
		if e, ok := err.(*Error); ok {
			if e.Message != "" && !slices.Contains(sentences, e.Message) {
				sentences = append(sentences, e.Message)
			}
			if e.Message != "" && e.Said != "" && quotable(e.Said) {
				sentences = append(sentences, `"`+strings.TrimRight(e.Said, ".")+`"`)
			}
			if f.Hint == "" {
				f.Hint = e.Hint
			}
		}
		err = errors.Unwrap(err)
	}
	if len(sentences) > 0 || len(all) == 0 && f.Code != "" {
		f.Message = strings.TrimSuffix(strings.Join(sentences, ": "), ".")
		all = append([]Failure{f}, all...)
	}
	return all
}
