package config

import "lens/internal/errs"

// wrong is the error of a wrong setting: one sentence, without the value, and what to do next.
func wrong(message, hint string, cause error) error {
	return &errs.Error{Code: errs.Invalid, Op: "config", Message: message, Hint: hint, Err: cause}
}

// OpFlag is the operation of the errors of settings that a flag set wrongly.
const OpFlag = "config: flag"

// wrongAt is wrong for the value of a setting from a place, which may be a flag.
func wrongAt(place, message, hint string) error {
	op := "config"
	if place == flagPlace {
		op = OpFlag
	}
	return &errs.Error{Code: errs.Invalid, Op: op, Message: message, Hint: hint}
}
