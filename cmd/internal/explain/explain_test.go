package explain

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"lens/internal/errs"
)

func TestError(t *testing.T) {
	inner := &errs.Error{
		Code: errs.Invalid, Op: "archive: read", Message: "the zip breaks off",
		Hint: "Download it again.",
	}
	for _, c := range []struct {
		name string
		err  error
		want []Failure
	}{
		{"nothing", nil, nil},
		{"a store error", fmt.Errorf("x: %w", inner), []Failure{{"invalid", "the zip breaks off", "Download it again."}}},
		{
			"an import error", &errs.Error{Code: errs.Invalid, Op: "import: a.zip", Err: inner},
			[]Failure{{"invalid", "a.zip: the zip breaks off", "Download it again."}},
		},
		{
			"a model error", &errs.Error{Code: errs.RateLimited, Op: "openai: embed", Message: "too fast.", Hint: "wait"},
			[]Failure{{"rate_limited", "too fast", "wait"}},
		},
		{
			"a time error", &errs.Error{Code: errs.Invalid, Op: "timebin: parse", Message: "no time", Hint: "h"},
			[]Failure{{"invalid", "no time", "h"}},
		},
		{"an unexpected error", errors.New("query text"), []Failure{{Code: "internal"}}},
		{"canceled", context.Canceled, []Failure{{Code: "unavailable"}}},
		{
			"one with causes of strangers", &errs.Error{
				Code: errs.Unavailable, Message: "no server",
				Err: errors.Join(errors.New("a"), errors.New("b")),
			},
			[]Failure{{"unavailable", "no server", ""}},
		},
		{
			"two joined", errors.Join(inner, &errs.Error{Code: errs.Invalid, Op: "config", Message: "no"}),
			[]Failure{{"invalid", "the zip breaks off", "Download it again."}, {"invalid", "no", ""}},
		},
	} {
		if got := Error(c.err); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}
