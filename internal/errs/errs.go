// Package errs is the one error of Lens: a code that front ends map, a sentence for the user and a next step.
package errs

import (
	"context"
	"errors"
	"fmt"
)

// Code classifies an error. Front ends map codes, never texts.
type Code string

// The codes of an Error.
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
// never holds query text, message text or a key.
type Error struct {
	Code    Code
	Op      string // "sqlite: open"
	Message string // one sentence; empty: the text of Err
	Hint    string // what to do next; may be empty
	Err     error  // the cause; may be nil
}

func (e *Error) Error() string {
	switch {
	case e.Message == "" && e.Err == nil:
		return e.Op + ": " + string(e.Code)
	case e.Message == "":
		return e.Op + ": " + e.Err.Error()
	case e.Err == nil:
		return e.Op + ": " + e.Message
	}
	return fmt.Sprintf("%s: %s: %v", e.Op, e.Message, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// ErrorCode returns the code. Packages that must not import this one read codes through this method.
func (e *Error) ErrorCode() string { return string(e.Code) }

// CodeOf returns the code of the first error in err's chain that has one: "" for nil, Unavailable
// for a canceled or expired context and Internal for any other error.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	var coded interface{ ErrorCode() string }
	if errors.As(err, &coded) {
		return Code(coded.ErrorCode())
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return Unavailable
	}
	return Internal
}
