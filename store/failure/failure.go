// Package failure explains the failures of a backend: what went wrong and what to do next, as an errs.Error. It covers
// failures that do not depend on the database; each backend adds its own.
package failure

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"lens/internal/errs"
	"lens/store"
	"lens/store/terms"
)

// Failures that every backend detects itself.
var (
	ErrClosed   = errors.New("archive is closed")
	ErrReadOnly = errors.New("store is read-only")
	ErrNewer    = errors.New("schema is newer than this program")
	ErrOlder    = errors.New("schema is older than this program")
)

// New returns an explanation: one sentence for the person, and what to do next.
func New(code errs.Code, message, hint string) *errs.Error {
	return &errs.Error{Code: code, Message: message, Hint: hint}
}

// NotFound returns the error of op for an id that the archive does not hold. kind is what it would name: "turn".
func NotFound(op, kind string, id uuid.UUID) error {
	return &errs.Error{
		Code: errs.NotFound, Op: op, Message: "there is no " + kind + " " + id.String(),
		Hint: "search again; it may have been forgotten",
	}
}

// NoGeneration returns the error of op for a generation that the archive does not hold.
func NoGeneration(op string, gen store.GenerationID) error {
	return &errs.Error{Code: errs.NotFound, Op: op, Message: fmt.Sprintf("there is no generation %d", gen)}
}

// NoDimension returns the error of op for a generation whose vectors would be empty.
func NoDimension(op string) error {
	return &errs.Error{Code: errs.Invalid, Op: op, Message: "a generation needs a dimension"}
}

// NothingEmbedded returns the error of op for an archive without an active generation.
func NothingEmbedded(op string) error {
	return &errs.Error{
		Code: errs.NotFound, Op: op, Message: "nothing is embedded yet",
		Hint: "run lens embed; until then, search by words",
	}
}

// NotIndexed returns the error of op for a vector index that could not be built. The hint says what to do, and that
// searches work without it.
func NotIndexed(op string, err error, hint string) error {
	reason := "interrupted"
	if known := new(errs.Error); errors.As(err, &known) && known.Message != "" {
		reason = known.Message
	}
	return &errs.Error{
		Code: errs.CodeOf(err), Op: op, Err: err, Message: "the vector index was not built: " + reason, Hint: hint,
	}
}

// shared explains the failures that every backend detects itself.
var shared = map[error]*errs.Error{
	ErrClosed:   New(errs.Unavailable, "", ""),
	ErrReadOnly: New(errs.Invalid, "the archive is open for reading only", "open it for writing; nothing was changed"),
	ErrNewer:    New(errs.Invalid, "the archive was made by a newer Lens", "update Lens"),
	ErrOlder: New(
		errs.Invalid, "the archive was made by an older Lens", "run lens import or lens embed once to upgrade it",
	),
	terms.ErrNewer: New(
		errs.Unavailable, "the archive's keywords were indexed by a newer Lens",
		"update Lens; commands that only read turns, such as lens export, still work",
	),
	terms.ErrOlder: New(
		errs.Unavailable, "the archive's keywords were indexed by an older Lens",
		"run lens import or lens embed once to index it again",
	),
}

// Diagnose explains a failure that every backend detects itself; nil for any other.
func Diagnose(err error) *errs.Error {
	for known, explanation := range shared {
		if errors.Is(err, known) {
			return explanation
		}
	}
	return nil
}

// Explain adds to err its explanation by diagnose, which returns nil for an error that did not come from the archive:
// one of the caller's own, passed through Update. Such an error, and an *errs.Error, stay as they are. interrupted
// reports whether an error of the database may be due to the end of ctx.
func Explain(
	ctx context.Context, op string, err error, interrupted func(error) bool, diagnose func(error) *errs.Error,
) error {
	var explained *errs.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &explained):
		return err
	case ctx.Err() != nil && (errors.Is(err, ctx.Err()) || interrupted(err)):
		return &errs.Error{Code: errs.Unavailable, Op: op, Err: ctx.Err()}
	}
	e := diagnose(err)
	if e == nil {
		return err
	}
	return &errs.Error{Code: e.Code, Op: op, Message: e.Message, Hint: e.Hint, Err: err}
}
