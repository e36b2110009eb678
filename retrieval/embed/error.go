package embed

// Error is a failure of a model or its server, with a code like the store's errors, one sentence and a hint.
type Error struct {
	Code    string // "invalid", "rate_limited", "dimension_mismatch", "unavailable"
	Op      string // "openai: embed"
	Message string // one sentence, without texts and keys
	Hint    string // what to do next; may be empty
	Err     error  // the cause; may be nil
}

func (e *Error) Error() string {
	if e.Err == nil {
		return e.Op + ": " + e.Message
	}
	return e.Op + ": " + e.Message + ": " + e.Err.Error()
}

func (e *Error) Unwrap() error { return e.Err }

// ErrorCode returns the code.
func (e *Error) ErrorCode() string { return e.Code }

// ErrorHint returns the next step.
func (e *Error) ErrorHint() string { return e.Hint }
