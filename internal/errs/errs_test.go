package errs_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"lens/internal/errs"
)

func TestCodeOf(t *testing.T) {
	locked := &errs.Error{Code: errs.Locked}
	for _, c := range []struct {
		name string
		err  error
		want errs.Code
	}{
		{"nothing", nil, ""},
		{"wrapped", fmt.Errorf("x: %w", locked), errs.Locked},
		{"the outermost counts", &errs.Error{Code: errs.Invalid, Err: locked}, errs.Invalid},
		{"joined", errors.Join(errors.New("x"), locked), errs.Locked},
		{"canceled", fmt.Errorf("x: %w", context.Canceled), errs.Unavailable},
		{"expired", context.DeadlineExceeded, errs.Unavailable},
		{"unexpected", errors.New("x"), errs.Internal},
	} {
		if got := errs.CodeOf(c.err); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestError_Text(t *testing.T) {
	cause := errors.New("disk full")
	for _, c := range []struct {
		err  errs.Error
		want string
	}{
		{errs.Error{Code: errs.Locked, Op: "vault"}, "vault: locked"},
		{errs.Error{Code: errs.Locked, Message: "no key"}, "no key"},
		{errs.Error{Message: "it failed", Said: "the question was canary"}, "it failed"},
		{errs.Error{Op: "sqlite: open", Err: cause}, "sqlite: open: disk full"},
		{errs.Error{Op: "sqlite: open", Message: "cannot write", Err: cause}, "sqlite: open: cannot write: disk full"},
	} {
		if got := c.err.Error(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestFrom(t *testing.T) {
	err := fmt.Errorf("x: %w", &errs.Error{
		Op:  "retrieval: peek",
		Err: errors.Join(errors.New("y"), &errs.Error{Op: "agent/openai: chat"}),
	})
	for pkg, want := range map[string]bool{
		"retrieval": true, "agent": true, "agent/openai": true, "age": false, "openai": false, "x": false,
	} {
		if got := errs.From(err, pkg); got != want {
			t.Errorf("%s: got %v", pkg, got)
		}
	}
}
