// Package errs is the one error of Lens: a code that front ends map, a sentence for the user and a next step.
package errs

import (
	"context"
	"errors"
	"iter"
	"strings"
)

// Code classifies an error. Front ends map codes, never texts.
type Code string

// The codes of an Error. Who may call, and whether a session is busy, are questions of one front end: httpapi
// has codes of its own for them. A canceled call is Unavailable: its caller has gone.
const (
	Invalid           Code = "invalid"
	NotFound          Code = "not_found"
	DimensionMismatch Code = "dimension_mismatch"
	TooLarge          Code = "too_large"
	RateLimited       Code = "rate_limited"
	Locked            Code = "locked"
	Blocked           Code = "blocked"
	Unavailable       Code = "unavailable"
	Internal          Code = "internal"
)

// Error is a failure with a code, the operation that failed, one sentence for the user and a hint. It
// never holds a key and, except in Said, no query text or message text.
type Error struct {
	Code    Code
	Op      string // "sqlite: open"
	Message string // one sentence; empty: the text of Err
	Hint    string // what to do next; may be empty
	Said    string // another server's own words, for the user alone: the method Error, which logs print, leaves them out
	Err     error  // the cause; may be nil
}

func (e *Error) Error() string {
	parts := make([]string, 0, 3)
	if e.Op != "" {
		parts = append(parts, e.Op)
	}
	switch {
	case e.Message != "":
		parts = append(parts, e.Message)
	case e.Err == nil:
		parts = append(parts, string(e.Code))
	}
	if e.Err != nil {
		parts = append(parts, e.Err.Error())
	}
	return strings.Join(parts, ": ")
}

func (e *Error) Unwrap() error { return e.Err }

// CodeOf returns the code of the first error in err's chain that has one: "" for nil, Unavailable
// for a canceled or expired context and Internal for any other error.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return Unavailable
	}
	return Internal
}

// From reports whether an error in err's chain comes from a package: "agent" for the operations "agent: run" and
// "agent/openai: chat".
func From(err error, pkg string) bool {
	for e := range chain(err) {
		if e.from(pkg) {
			return true
		}
	}
	return false
}

func (e *Error) from(pkg string) bool {
	rest, ok := strings.CutPrefix(e.Op, pkg)
	return ok && (rest == "" || rest[0] == ':' || rest[0] == '/')
}

// chain yields the Errors that err wraps, outermost first, of joined errors one after another.
func chain(err error) iter.Seq[*Error] {
	return func(yield func(*Error) bool) { walk(err, yield) }
}

func walk(err error, yield func(*Error) bool) bool {
	for err != nil {
		if e, ok := err.(*Error); ok && !yield(e) {
			return false
		}
		if joined, ok := err.(interface{ Unwrap() []error }); ok {
			for _, one := range joined.Unwrap() {
				if !walk(one, yield) {
					return false
				}
			}
			return true
		}
		err = errors.Unwrap(err)
	}
	return true
}
