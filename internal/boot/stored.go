package boot

import (
	"context"
	"errors"
	"strings"

	"github.com/google/uuid"

	"lens/store"
)

// ReadOnly returns why nothing can be written to the archive now: another process writes, or the folder may not be written. It finds out
// by beginning to write, briefly. nil where it can be written.
func (l *Lens) ReadOnly(ctx context.Context) error {
	l.mu.Lock()
	limit := l.limit
	l.mu.Unlock()
	if limit != nil {
		return limit
	}
	if err := l.tryWriting(ctx); !errors.Is(err, errUndo) {
		return err
	}
	return nil
}

// Stored returns the exported JSON of a turn's messages, a line each, for a turn whose text cannot be read. Of a conversation that is
// damaged in the midst it returns what comes before, and the error. Errors: not_found for no such turn, unavailable.
func (l *Lens) Stored(ctx context.Context, conversation, turn uuid.UUID) (string, error) {
	st, err := l.reading(ctx)
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
		err = &store.Error{Code: store.CodeNotFound, Op: "stored", Message: "nothing is stored for this turn"}
	}
	return lines.String(), err
}
