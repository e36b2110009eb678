package retrieval

import (
	"context"

	"github.com/google/uuid"

	"lens/internal/errs"
)

// HasConversation returns an error if the archive does not have a conversation. Errors: not_found.
func (e *Engine) HasConversation(ctx context.Context, id uuid.UUID) error {
	_, err := e.source.Conversations(ctx, []uuid.UUID{id})
	if errs.CodeOf(err) == errs.NotFound {
		return &errs.Error{
			Code: errs.NotFound, Op: "retrieval: conversation", Message: "no conversation has this ID",
			Hint: "copy the conversation ID of a match or a turn", // the store's error would hide it from clients
		}
	}
	return err
}
