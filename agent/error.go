package agent

import (
	"context"
	"errors"

	"lens/internal/errs"
)

// op is the operation of a run's errors. The operations of this package and its models begin with "agent": a front end
// tells by it (errs.From) that the chat model failed.
const op = "agent: run"

// ErrNoSummary reports that the model returned no usable summary: this exchange failed, the next may succeed.
var ErrNoSummary = errors.New("no summary")

// Failures of a model that a run can handle. A Model wraps them.
var (
	ErrNoTools        = errors.New("the model cannot call tools")
	ErrBroken         = errors.New("incomplete answer")
	ErrContextTooLong = errors.New("the request exceeds the model's context")
)

// errTimeLimit is the cause when a run's context ends by its time limit.
var errTimeLimit = errors.New("time limit reached")

// contextError returns the error to report once ctx may be over: the time limit, the caller's cancellation,
// or err itself.
func contextError(ctx context.Context, err error) error {
	switch cause := context.Cause(ctx); {
	case cause == nil:
		return err
	case errors.Is(cause, errTimeLimit):
		return &errs.Error{
			Code: errs.Unavailable, Op: op,
			Message: "the answer took too long", Hint: "ask a simpler question, or raise LENS_CHAT_TIME", Err: cause,
		}
	}
	return ctx.Err()
}
