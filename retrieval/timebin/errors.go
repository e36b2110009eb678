package timebin

// Error says that a bin or a time is invalid. It has the shape of the store's errors, without importing them.
type Error struct {
	Op      string // "timebin: parse bin"
	Message string // one sentence
	Hint    string // valid forms
}

func (e *Error) Error() string { return e.Op + ": " + e.Message }

// ErrorCode returns "invalid".
func (e *Error) ErrorCode() string { return "invalid" }
