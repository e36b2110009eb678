package vault

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"
)

// Error is why a vault does not do what was asked, as a person is told it. None ever holds a secret.
type Error struct {
	Code    string // "locked", "invalid" or "unavailable"
	Message string // one sentence
	Hint    string // what to do next
	Err     error  // the cause; may be nil
}

func (e *Error) Error() string {
	if e.Err == nil {
		return "vault: " + e.Message
	}
	return "vault: " + e.Message + ": " + e.Err.Error()
}

func (e *Error) Unwrap() error { return e.Err }

// ErrorCode returns the code.
func (e *Error) ErrorCode() string { return e.Code }

func errLocked() error {
	return &Error{Code: "locked", Message: "the archive is locked", Hint: "unlock it with its PIN"}
}

func errTooShort(k kind, least int) error {
	return &Error{Code: "invalid", Message: fmt.Sprintf("a %s needs at least %d characters", k, least), Hint: "choose a longer one"}
}

func errTooEarly(wait time.Duration, left int) error {
	return &Error{Code: "locked", Message: "it is too early for another try", Hint: fmt.Sprintf("wait %s; %s", seconds(wait), attemptsLeft(left))}
}

func errNotCounted(err error) error {
	return &Error{Code: "unavailable", Message: "a try cannot be written down before it is made", Hint: "make room on the disk, or look at the permissions of the data folder", Err: err}
}

func errAttemptFailed(alone bool, delay time.Duration, left int) error {
	what := "PIN"
	if alone {
		what = "passphrase"
	}
	message := "that is neither the " + what + " nor the recovery passphrase"
	if left < 0 {
		message = "that is not the recovery passphrase, and the " + what + " is not taken any more"
	}
	return &Error{Code: "locked", Message: message, Hint: fmt.Sprintf("wait %s before the next try; %s", seconds(delay), attemptsLeft(left)), Err: errWrongSecret}
}

func attemptsLeft(left int) string {
	switch {
	case left <= 0:
		return "after ten wrong tries only the recovery passphrase opens it"
	case left == 1:
		return "one try is left before only the recovery passphrase opens it"
	}
	return fmt.Sprintf("%d tries are left before only the recovery passphrase opens it", left)
}

func seconds(d time.Duration) string { return fmt.Sprintf("%d s", (d+time.Second-1)/time.Second) }

func errChanged(dir string) error {
	return &Error{Code: "unavailable", Message: "another lens has changed " + filepath.Join(dir, fileName), Hint: "try again: nothing was changed by this one"}
}

func errUnreadable(dir string, err error) error {
	at := filepath.Join(dir, fileName)
	switch {
	case errors.Is(err, errNewer):
		return &Error{Code: "invalid", Message: at + " was made by a newer Lens", Hint: "update this program", Err: err}
	case errors.Is(err, errParams):
		return &Error{Code: "invalid", Message: at + " asks for more memory or time than Lens allows", Hint: "put a copy of it from a backup back: somebody changed it", Err: err}
	case errors.Is(err, errDamaged):
		return &Error{Code: "unavailable", Message: at + " is damaged, and so is " + backupName, Hint: "put a copy of either from a backup back: it holds the key, and nothing else does", Err: err}
	}
	return &Error{Code: "unavailable", Message: at + " cannot be read", Hint: "look at its permissions", Err: err}
}

func errCannotHold(err error) error {
	return &Error{
		Code: "unavailable", Message: "this system has no place for the key that forgets it by itself",
		Hint: "each lens asks for the PIN; scripts name a file with it in LENS_PIN_FILE", Err: err,
	}
}
