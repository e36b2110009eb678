package postgres

import (
	"context"

	"github.com/google/uuid"
)

// Forget implements store.Tx. The keyword index forgets too: it is merged into one segment without the turns that went.
func (t *tx) Forget(ctx context.Context, conversations []uuid.UUID) (turns int, err error) {
	if err := t.messages.flush(ctx); err != nil {
		return 0, err
	}
	t.turns, t.vectors, t.moved, t.wiped = true, true, true, true
	for _, name := range []string{"ForgetVectors", "ForgetTurns", "ForgetChunks", "ForgetDocuments", "ForgetMessages", "ForgetConversations"} {
		gone, err := t.run(ctx, name, conversations)
		if err != nil {
			return 0, err
		}
		if name == "ForgetTurns" {
			turns = int(gone)
		}
	}
	segments, err := t.segments(ctx)
	if err != nil || len(segments) == 0 {
		return turns, err
	}
	return turns, t.merge(ctx, segments)
}

// ForgetEverything implements store.Tx.
func (t *tx) ForgetEverything(ctx context.Context) error {
	if err := t.messages.flush(ctx); err != nil {
		return err
	}
	t.turns, t.vectors, t.moved, t.wiped = true, true, true, true
	for _, table := range []string{"Vectors", "Generations", "Blocks", "Segments", "Turns", "Chunks", "Documents", "Messages", "Conversations", "Runs"} {
		if _, err := t.run(ctx, "ForgetAll"+table); err != nil {
			return err
		}
	}
	return nil
}

// vacuum takes forgotten text out of the tables. What a reader still sees has to wait for the server's own vacuum, and so has
// everything where this one fails; the change is made already.
func (c *conn) vacuum(ctx context.Context) { _, _ = c.run(ctx, "Vacuum") }
