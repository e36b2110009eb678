package ingest

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/uuid"

	"lens/store"
	"lens/store/ingest/chat"
)

// writeTx is a transaction that takes the parts of a document.
type writeTx struct {
	store.Tx
	parsed *chat.Parsed
	held   []int // bytes of text that the document still has when a part comes
}

func (w *writeTx) ReserveOrds(context.Context, int) (store.Ord, error) { return 1, nil }

func (w *writeTx) PutConversations(context.Context, []store.Conversation) error { return nil }

func (w *writeTx) PutTurns(context.Context, []store.Turn) error { return nil }

func (w *writeTx) DeleteVectors(context.Context, []uuid.UUID) error { return nil }

func (w *writeTx) AddTerms(context.Context, []store.Ord, []store.Terms) error { return nil }

func (w *writeTx) MessageOwners(context.Context, []uuid.UUID) (map[uuid.UUID]uuid.UUID, error) {
	return nil, nil
}

func (w *writeTx) ConversationStates(
	context.Context, []uuid.UUID,
) (map[uuid.UUID]store.ConversationState, error) {
	return nil, nil
}

func (w *writeTx) PutMessages(context.Context, uuid.UUID, []store.Message) error {
	n := 0
	for i := range w.parsed.Turns {
		n += len(w.parsed.Turns[i].AssistantText)
	}
	w.held = append(w.held, n)
	return nil
}

func TestWriteParts_FreesTexts(t *testing.T) {
	d := &chat.Document{Source: store.Documents, ID: "/a.txt", Pieces: make([]chat.Piece, 2*messagesPerPart)}
	for i := range d.Pieces {
		d.Pieces[i] = chat.Piece{Text: fmt.Sprintf("The heron waits for fish %d.", i), Chunk: store.Chunk{Seq: i}}
	}
	p := chat.BuildDocument(d)
	tx := &writeTx{parsed: p}
	w := &writer{rewritten: map[uuid.UUID]storedChat{}, tally: tally{}}
	r, err := w.revise(t.Context(), tx, &batch{entries: []entry{{parsed: p}}})
	if err == nil {
		err = r.write(t.Context(), tx)
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(tx.held) != 2 || 3*tx.held[1] > 2*tx.held[0] {
		t.Errorf("with the parts, the document had %d bytes of text, want two parts and half of it with the second", tx.held)
	}
}
