package store

import (
	"context"
	"errors"
	"fmt"
)

// Code says what kind of failure an error is. Faces map codes, never texts.
type Code string

// The codes of ARCHITECTURE: every error of Lens has one of them.
const (
	CodeInvalid           Code = "invalid"
	CodeNotFound          Code = "not_found"
	CodeDimensionMismatch Code = "dimension_mismatch"
	CodeTooLarge          Code = "too_large"
	CodeRateLimited       Code = "rate_limited"
	CodeLocked            Code = "locked"
	CodeBlocked           Code = "blocked"
	CodeUnavailable       Code = "unavailable"
	CodeInternal          Code = "internal"
)

// Error is a failure with a code, the operation that failed, one clear sentence for a person and a next step.
// None of them ever holds query text, message text or a key.
type Error struct {
	Code    Code
	Op      string // "sqlite: open"
	Message string // one sentence; empty: Err's own
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

// ErrorCode returns the code; packages that may not import this one carry codes by this method alone.
func (e *Error) ErrorCode() string { return string(e.Code) }

// CodeOf returns the code of the first error in err's chain that has one, "" for nil and CodeInternal for strangers.
// A cancelled or expired context is CodeUnavailable.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	var coded interface{ ErrorCode() string }
	if errors.As(err, &coded) {
		return Code(coded.ErrorCode())
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return CodeUnavailable
	}
	return CodeInternal
}
