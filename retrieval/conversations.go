package retrieval

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"lens/store"
)

// ListedConversation is a conversation as a list of all of them shows it.
type ListedConversation struct {
	ID        uuid.UUID
	Title     string
	Source    string
	Topic     string     // "" for none, or where topics are not known
	FirstTurn uuid.UUID  // on the active path
	Turns     int        // on the active path
	First     *time.Time // of its dated turns; nil for none
	Last      *time.Time
}

// Conversations returns all chats, the latest first and the undated last. Documents are none.
func (e *Engine) Conversations(ctx context.Context) ([]ListedConversation, error) {
	var all []ListedConversation
	err := e.readConsistently(ctx, func(a *snapshot) error {
		known, err := e.titles.load(ctx, a)
		if err != nil {
			return err
		}
		about, err := e.topics.load(ctx, a)
		if err != nil {
			return err
		}
		all = all[:0]
		for c, id := range a.Conversations {
			if source := a.Sources[a.SourceOf[c]]; !source.Chunked() {
				listed := a.listed(known.rows[c])
				listed.ID, listed.Title, listed.Source = id, known.text[c], string(source.Service())
				if about != nil && about.of[c] >= 0 {
					listed.Topic = about.Topics[about.of[c]].label()
				}
				all = append(all, listed)
			}
		}
		return nil
	})
	slices.SortStableFunc(all, func(x, y ListedConversation) int {
		if x.Last != nil && y.Last != nil {
			return y.Last.Compare(*x.Last)
		}
		return cmp.Compare(dated(y), dated(x))
	})
	return all, err
}

// dated is 1 for a conversation with a time, else 0.
func dated(c ListedConversation) int {
	if c.Last == nil {
		return 0
	}
	return 1
}

// listed describes the turns of a conversation, given by their rows in order of time.
func (a *snapshot) listed(rows []int32) (c ListedConversation) {
	for _, row := range rows {
		onPath := a.isOnPath(int(row))
		if c.FirstTurn == uuid.Nil || onPath && a.Prev[row] < 0 {
			c.FirstTurn = a.ID[row]
		}
		if !onPath {
			continue
		}
		c.Turns++
		if int(row) < a.Dated {
			at := store.FromMicros(a.Time[row])
			c.First, c.Last = cmp.Or(c.First, &at), &at
		}
	}
	return c
}
