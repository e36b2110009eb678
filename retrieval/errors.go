package retrieval

import (
	"context"
	"errors"
	"fmt"

	"lens/internal/errs"
	"lens/retrieval/embed"
)

// invalid is an error in the request.
func invalid(op, hint, format string, args ...any) error {
	return &errs.Error{Code: errs.Invalid, Op: "retrieval: " + op, Message: fmt.Sprintf(format, args...), Hint: hint}
}

// storeError gives errors of embed, which do not know the store, the store's shape. Other errors are
// wrapped.
func storeError(op string, err error) error {
	op = "retrieval: " + op
	var model *embed.Error
	if errors.As(err, &model) {
		return &errs.Error{Code: errs.Code(model.Code), Op: op, Message: model.Message, Hint: model.Hint, Err: model.Err}
	}
	return fmt.Errorf("%s: %w", op, err)
}

// isCanceled reports whether err comes from ctx and not from the request.
func isCanceled(ctx context.Context, err error) bool {
	return ctx.Err() != nil || errors.Is(err, context.Canceled)
}
