package offline

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"lens/internal/errs"
	"lens/internal/sandbox"
	"lens/internal/vault"
	"lens/retrieval"
)

// Reason is why a query was not answered.
type Reason string

// The reasons there are.
const (
	Locked                  Reason = "locked"
	NetworkBlockFailed      Reason = "network_block_failed"
	NetworkBlockUnsupported Reason = "network_block_unsupported"
	ANNUnavailable          Reason = "ann_unavailable"
	AuditUnavailable        Reason = "audit_unavailable"
	DimensionMismatch       Reason = "dimension_mismatch"
	InvalidConfig           Reason = "invalid_config"
)

// revertTexts holds the error code of each reason, and the message and hint for the user where the cause has no
// better ones.
var revertTexts = map[Reason]struct {
	code          errs.Code
	message, hint string
}{
	Locked: {
		errs.Locked, "the archive is locked", "run lens unlock",
	},
	NetworkBlockFailed: {
		errs.Blocked, "cannot verify network isolation", "run lens doctor --offline to see what is blocked",
	},
	NetworkBlockUnsupported: {
		errs.Blocked, "this system cannot block the network, only guard it",
		"use --security standard to accept the guard",
	},
	ANNUnavailable: {
		errs.Unavailable, "cannot search the archive's vectors",
		"run lens embed, or lens doctor to see what is missing" + byWords,
	},
	AuditUnavailable: {
		errs.Unavailable, "cannot record the decision", "run lens audit verify",
	},
	DimensionMismatch: {
		errs.DimensionMismatch, "the archive's vectors and the query's have different dimensions", "run lens embed",
	},
	InvalidConfig: {
		errs.Unavailable, "keywords.yaml is not valid", "correct it, or move it away",
	},
}

// Revert is the decision not to answer. It is a type of its own because clients see the reason, and the audit log
// records it.
type Revert struct {
	Reason Reason
	Err    error // the cause; may be nil
}

func (r *Revert) Error() string {
	if r.Err == nil {
		return "revert:" + string(r.Reason)
	}
	return "revert:" + string(r.Reason) + ": " + r.Err.Error()
}

// Unwrap returns the *errs.Error that describes the decision to the user.
func (r *Revert) Unwrap() error {
	text := revertTexts[r.Reason]
	return &errs.Error{Code: text.code, Op: "offline", Message: text.message, Hint: r.hint(), Err: r.Err}
}

// byWords ends the hints for an archive that cannot be searched by meaning.
const byWords = "; to search by words, use lens peek"

// hint returns the next step. The cause may know a better one than the reason.
func (r *Revert) hint() string {
	hint := cmp.Or(errs.First(r.Err).Hint, revertTexts[r.Reason].hint)
	switch {
	case errors.Is(r.Err, retrieval.ErrNoModel): // not the usual hint: a remote server cannot be used offline
		return "run lens model pull, then lens embed" + byWords
	case errors.Is(r.Err, retrieval.ErrNotEmbedded), errors.Is(r.Err, retrieval.ErrOtherModel):
		return hint + byWords
	}
	return hint
}

var errNotSingleQuery = errors.New("the paranoid level needs one process per query")

// revertOf returns the Revert that an error amounts to; nil for none, and for what the client caused: an invalid
// query, a missing archive, a canceled search.
func revertOf(ctx context.Context, err error) *Revert {
	var already *Revert
	switch code := errs.CodeOf(err); {
	case err == nil || ctx.Err() != nil || errors.Is(err, context.Canceled):
		return nil
	case errors.As(err, &already):
		return already
	case errors.Is(err, sandbox.ErrFailed):
		return &Revert{Reason: NetworkBlockFailed, Err: err}
	case errors.Is(err, sandbox.ErrUnsupported):
		return &Revert{Reason: NetworkBlockUnsupported, Err: err}
	case errors.Is(err, vault.ErrUnusable): // no PIN opens it
		return &Revert{Reason: ANNUnavailable, Err: err}
	case code == errs.Invalid, code == errs.TooLarge, code == errs.NotFound:
		return nil
	case code == errs.Locked:
		return &Revert{Reason: Locked, Err: err}
	case code == errs.DimensionMismatch:
		return &Revert{Reason: DimensionMismatch, Err: err}
	}
	return &Revert{Reason: ANNUnavailable, Err: err}
}

func invalid(hint, format string, args ...any) error {
	return &errs.Error{Code: errs.Invalid, Op: "offline", Message: fmt.Sprintf(format, args...), Hint: hint}
}
