package store

import (
	"iter"

	"github.com/google/uuid"
)

// Batches yields the ids of the turns that f lets through, in time order, up to size at a time. The slice is reused.
func (c *Catalog) Batches(f Filter, size int) iter.Seq[[]uuid.UUID] {
	return func(yield func([]uuid.UUID) bool) {
		conversation := c.ConversationIndex(f.Conversation)
		batch := make([]uuid.UUID, 0, size)
		lo, hi := c.Window(f)
		for row := lo; row < hi; row++ {
			if !c.Passes(row, f, conversation) {
				continue
			}
			if batch = append(batch, c.ID[row]); len(batch) < size {
				continue
			}
			if !yield(batch) {
				return
			}
			batch = batch[:0]
		}
		if len(batch) > 0 {
			yield(batch)
		}
	}
}
