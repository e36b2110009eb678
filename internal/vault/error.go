package vault

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"lens/internal/errs"
)

// ErrUnusable is in the chain of an error about a vault file that no secret opens here: a newer Lens wrote it, or it
// asks for more memory or time than Lens allows.
var ErrUnusable = errors.New("unusable vault file")

// TooEarlyError is in the chain of an error about a secret that was not tried, too soon after a wrong one.
type TooEarlyError struct{ Wait time.Duration } // until one is tried

func (e TooEarlyError) Error() string { return "too early" }

func errLocked() error {
	return &errs.Error{Code: errs.Locked, Op: "vault", Message: "the archive is locked", Hint: "unlock it with its PIN"}
}

func errTooShort(k kind, least int) error {
	message := fmt.Sprintf("a %s needs at least %d characters", k, least)
	return &errs.Error{Code: errs.Invalid, Op: "vault", Message: message, Hint: "choose a longer one"}
}

func errTooEarly(wait time.Duration, left int) error {
	hint := fmt.Sprintf("wait %s; %s", seconds(wait), attemptsLeft(left))
	message := "too soon after a wrong attempt"
	return &errs.Error{Code: errs.Locked, Op: "vault", Message: message, Hint: hint, Err: TooEarlyError{wait}}
}

func errNotCounted(err error) error {
	return &errs.Error{
		Code: errs.Unavailable, Op: "vault", Message: "the attempt cannot be recorded",
		Hint: "free some disk space, or check the permissions of the data folder", Err: err,
	}
}

func errAttemptFailed(alone bool, delay time.Duration, left int) error {
	what := "PIN"
	if alone {
		what = "passphrase"
	}
	message := "wrong " + what + " or recovery passphrase"
	if left < 0 {
		message = "wrong recovery passphrase; the " + what + " is disabled after ten wrong attempts"
	}
	hint := fmt.Sprintf("wait %s before the next attempt; %s", seconds(delay), attemptsLeft(left))
	return &errs.Error{Code: errs.Locked, Op: "vault", Message: message, Hint: hint, Err: errWrongSecret}
}

func attemptsLeft(left int) string {
	switch {
	case left <= 0:
		return "use the recovery passphrase"
	case left == 1:
		return "1 attempt left, then only the recovery passphrase works"
	}
	return fmt.Sprintf("%d attempts left, then only the recovery passphrase works", left)
}

func seconds(d time.Duration) string { return fmt.Sprintf("%d s", (d+time.Second-1)/time.Second) }

func errChanged(dir string) error {
	return &errs.Error{
		Code: errs.Unavailable, Op: "vault", Message: "another Lens process changed " + filepath.Join(dir, fileName),
		Hint: "try again; this command changed nothing",
	}
}

func errUnreadable(dir string, err error) error {
	at := filepath.Join(dir, fileName)
	switch {
	case errors.Is(err, errNewer):
		return &errs.Error{
			Code: errs.Invalid, Op: "vault", Message: at + " was written by a newer Lens",
			Hint: "update Lens", Err: err,
		}
	case errors.Is(err, errParams):
		return &errs.Error{
			Code: errs.Invalid, Op: "vault", Message: at + " asks for more memory or time than Lens allows",
			Hint: "restore it from a backup; it was tampered with", Err: err,
		}
	case errors.Is(err, errDamaged):
		return &errs.Error{
			Code: errs.Unavailable, Op: "vault", Message: at + " and " + backupName + " are damaged",
			Hint: "restore either from a backup; nothing else holds the key", Err: err,
		}
	}
	return &errs.Error{
		Code: errs.Unavailable, Op: "vault", Message: at + " is unreadable",
		Hint: "check its permissions", Err: err,
	}
}

func errCannotHold(err error) error {
	return &errs.Error{
		Code: errs.Unavailable, Op: "vault", Message: "this system has no keyring that expires keys",
		Hint: "enter the PIN each time, or set LENS_PIN_FILE to a file that holds it", Err: err,
	}
}
