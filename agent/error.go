package agent

import (
	"context"
	"errors"
)

const op = "agent: run"

// Error is a failure with a code as in the store's errors, one clear sentence and a next step. It never holds a question, a turn's
// text, a server's words or a key.
type Error struct {
	Code    string // "invalid", "too_large", "rate_limited", "unavailable"
	Op      string // "agent: run"
	Message string // one sentence
	Hint    string // what to do next; may be empty
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

// ErrNoSummary is a model that answered with nothing that could be kept as a summary: it failed at what it was sent, not altogether.
var ErrNoSummary = errors.New("no summary")

// The failures of a model that a run can do something about. A Model wraps them.
var (
	ErrNoTools = errors.New("the model cannot call tools")
	ErrBroken  = errors.New("the answer broke off")
)

// errTime is why a run's context ends when its time is up.
var errTimeLimit = errors.New("the time for the answer is up")

// codeOf returns the code of the first error in err's chain that has one, "internal" for strangers,
// "unavailable" for a cancelled one.
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

// ended returns what err means now that ctx may be over: the limit of the run, the wish of its owner, or just err.
func contextError(ctx context.Context, err error) error {
	switch cause := context.Cause(ctx); {
	case cause == nil:
		return err
	case errors.Is(cause, errTimeLimit):
		return &Error{Code: "unavailable", Op: op, Message: "the answer took too long", Hint: "ask again, or ask for less at a time", Err: cause}
	}
	return ctx.Err()
}
