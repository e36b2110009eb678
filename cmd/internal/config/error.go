package config

import "lens/internal/errs"

// wrong is the error of a wrong setting: one sentence, without the value, and what to do next.
func wrong(message, hint string, cause error) error {
	return &errs.Error{Code: errs.Invalid, Op: "config", Message: message, Hint: hint, Err: cause}
}
