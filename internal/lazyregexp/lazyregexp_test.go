package lazyregexp_test

import (
	"testing"

	"lens/internal/lazyregexp"
)

func TestNew(t *testing.T) {
	number := lazyregexp.New(`^[0-9]+$`)
	if !number().MatchString("42") || number().MatchString("x") || number() != number() {
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
