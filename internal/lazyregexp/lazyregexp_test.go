package lazyregexp_test

import (
	"testing"

	"lens/internal/lazyregexp"
)

func TestNew(t *testing.T) {
	number := lazyregexp.New(`^[0-9]+$`)
	first := number()
	if !first.MatchString("42") || first.MatchString("x") || number() != first {
		t.Error("the expression is not matched, or compiled twice")
	}
}

func TestNew_BadExpressionInATest(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a bad expression is noticed only when it is used")
		}
	}()
	lazyregexp.New(`(`)
}
