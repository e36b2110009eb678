package archive

import (
	"context"
	"strings"

	"lens/internal/errs"

	"github.com/google/uuid"
)

// ReadOnly returns why the archive cannot be written now, such as another writer or a read-only folder, nil if it can.
// It finds out by starting a write transaction, which it rolls back.
func (a *Archive) ReadOnly(ctx context.Context) error {
	a.mu.Lock()
	limit := a.limit
	a.mu.Unlock()
	if limit != nil {
		return limit
	}
	return a.tryWriting(ctx)
}

// Stored returns the exported JSON of a turn's messages, one per line, for a turn whose text cannot be read. If a
// conversation is partly damaged, it returns the messages before the damage, and the error. Errors: not_found,
// unavailable.
func (a *Archive) Stored(ctx context.Context, conversation, turn uuid.UUID) (string, error) {
	st, err := a.Reading(ctx)
	if err != nil {
		return "", err
	}
	messages, err := st.Messages(ctx, conversation)
	var lines strings.Builder
	for _, m := range messages {
		if m.Turn == turn && len(m.Raw) > 0 {
			lines.WriteString(strings.ReplaceAll(string(m.Raw), "\n", " ") + "\n")
		}
	}
	if err == nil && lines.Len() == 0 {
		err = &errs.Error{Code: errs.NotFound, Op: "stored", Message: "nothing is stored for this turn"}
	}
	return lines.String(), err
}
