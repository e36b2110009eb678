package retrieval

import (
	"context"
	"errors"
	"fmt"

	"lens/internal/errs"
)

// invalid is an error in the request.
func invalid(op, hint, format string, args ...any) error {
	return &errs.Error{Code: errs.Invalid, Op: "retrieval: " + op, Message: fmt.Sprintf(format, args...), Hint: hint}
}

// isCanceled reports whether err comes from ctx and not from the request.
func isCanceled(ctx context.Context, err error) bool {
	return ctx.Err() != nil || errors.Is(err, context.Canceled)
}
