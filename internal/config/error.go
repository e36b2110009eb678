package config

// Error says what was told that does not fit.
type Error struct {
	Message string // one sentence, without values
	Hint    string // what to do next
	Err     error  // the cause; may be nil
}

func (e *Error) Error() string {
	if e.Err == nil {
		return "config: " + e.Message
	}
	return "config: " + e.Message + ": " + e.Err.Error()
}

func (e *Error) Unwrap() error { return e.Err }

// ErrorCode returns "invalid".
func (e *Error) ErrorCode() string { return "invalid" }

// ErrorHint returns the next step.
func (e *Error) ErrorHint() string { return e.Hint }
