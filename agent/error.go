package agent

import (
	"context"
	"errors"
)

const op = "agent: run"

// Error is a failure with one of the codes of errs.Error, a clear sentence and a next step. It never
// contains a question, a turn's text, a server's words or a key.
type Error struct {
	Code    string // "invalid", "too_large", "rate_limited", "unavailable"
	Op      string // "agent: run"
	Message string // one sentence
	Hint    string // the next step; may be empty
	Err     error  // the cause; may be nil
}

func (e *Error) Error() string {
	if e.Err == nil {
		return e.Op + ": " + e.Message
	}
	return e.Op + ": " + e.Message + ": " + e.Err.Error()
}

func (e *Error) Unwrap() error { return e.Err }

// ErrorCode returns the code.
func (e *Error) ErrorCode() string { return e.Code }

// ErrNoSummary reports that the model returned no usable summary: this exchange failed, the next may succeed.
var ErrNoSummary = errors.New("no summary")

// Failures of a model that a run can handle. A Model wraps them.
var (
	ErrNoTools = errors.New("the model cannot call tools")
	ErrBroken  = errors.New("incomplete answer")
)

// errTimeLimit is the cause when a run's context ends by its time limit.
var errTimeLimit = errors.New("time limit reached")

// codeOf returns the code of the first error in err's chain that has one, "unavailable" for a canceled
// context, otherwise "internal".
func codeOf(err error) string {
	var coded interface{ ErrorCode() string }
	if errors.As(err, &coded) {
		return coded.ErrorCode()
	}
	if errors.Is(err, context.Canceled) {
		return "unavailable"
	}
	return "internal"
}

// contextError returns the error to report once ctx may be over: the time limit, the caller's cancellation,
// or err itself.
func contextError(ctx context.Context, err error) error {
	switch cause := context.Cause(ctx); {
	case cause == nil:
		return err
	case errors.Is(cause, errTimeLimit):
		return &Error{
			Code: "unavailable", Op: op,
			Message: "the answer took too long", Hint: "ask again, or ask a simpler question", Err: cause,
		}
	}
	return ctx.Err()
}
