package errs_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"lens/internal/errs"
)

func TestDescribe(t *testing.T) {
	inner := &errs.Error{
		Code: errs.Invalid, Op: "archive: read", Message: "the zip breaks off",
		Hint: "Download it again.",
	}
	for _, c := range []struct {
		name string
		err  error
		want []errs.Failure
	}{
		{"nothing", nil, nil},
		{"a store error", fmt.Errorf("x: %w", inner), []errs.Failure{{"invalid", "the zip breaks off", "Download it again."}}},
		{
			"an import error", &errs.Error{Code: errs.Invalid, Op: "import", Message: "cannot import a.zip", Err: inner},
			[]errs.Failure{{"invalid", "cannot import a.zip: the zip breaks off", "Download it again."}},
		},
		{
			"a model error", &errs.Error{Code: errs.RateLimited, Op: "openai: embed", Message: "too fast.", Hint: "wait"},
			[]errs.Failure{{"rate_limited", "too fast", "wait"}},
		},
		{
			"a time error", &errs.Error{Code: errs.Invalid, Op: "timebin: parse", Message: "no time", Hint: "h"},
			[]errs.Failure{{"invalid", "no time", "h"}},
		},
		{
			"a server's words", fmt.Errorf("x: %w", &errs.Error{Code: errs.Unavailable, Message: "h failed", Said: "out of memory"}),
			[]errs.Failure{{"unavailable", `h failed: "out of memory"`, ""}},
		},
		{"an unexpected error", errors.New("query text"), []errs.Failure{{Code: "internal"}}},
		{"canceled", context.Canceled, []errs.Failure{{Code: "unavailable"}}},
		{
			"one with causes of strangers", &errs.Error{
				Code: errs.Unavailable, Message: "no server",
				Err: errors.Join(errors.New("a"), errors.New("b")),
			},
			[]errs.Failure{{"unavailable", "no server", ""}},
		},
		{
			"two joined", errors.Join(inner, &errs.Error{Code: errs.Invalid, Op: "config", Message: "no"}),
			[]errs.Failure{{"invalid", "the zip breaks off", "Download it again."}, {"invalid", "no", ""}},
		},
	} {
		if got := errs.Describe(c.err); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}
