package config

// Error describes a wrong setting.
type Error struct {
	Message string // one sentence, without the value
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

// ErrorCode returns "invalid", for the exit status and the API.
func (e *Error) ErrorCode() string { return "invalid" }

// ErrorHint returns Hint.
func (e *Error) ErrorHint() string { return e.Hint }
