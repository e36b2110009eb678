package sqlite_test

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/google/uuid"

	"lens/store"
	"lens/store/sqlite"
)

func Example() {
	dir, err := os.MkdirTemp("", "lens-example-*")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)

	ctx := context.Background()
	archive, err := sqlite.Open(ctx, sqlite.Options{Dir: dir, Verb: "example"})
	if err != nil {
		panic(err)
	}
	defer archive.Close()

	talk, asked := uuid.New(), uuid.New()
	turn := store.Turn{
		ID: store.TurnID(asked), Conversation: talk, UserMessage: asked, OnPath: true,
		Time: time.Date(2024, 5, 1, 9, 0, 0, 0, time.UTC),
	}
	err = archive.Update(ctx, func(tx store.Tx) error {
		if turn.Ord, err = tx.ReserveOrds(ctx, 1); err != nil {
			return err
		}
		if err := tx.PutConversations(ctx, []store.Conversation{{ID: talk, Title: "Sourdough"}}); err != nil {
			return err
		}
		question := store.Message{ID: asked, Role: store.User, Text: "How warm should it rise?", Visible: true, Turn: turn.ID}
		if err := tx.PutMessages(ctx, talk, []store.Message{question}); err != nil {
			return err
		}
		return tx.PutTurns(ctx, []store.Turn{turn})
	})
	if err != nil {
		panic(err)
	}
	for t, err := range archive.EachTurn(ctx, store.Filter{}) {
		fmt.Println(t.Time.Format(time.DateOnly), t.Title, "|", t.UserText, err)
	}
	// Output: 2024-05-01 Sourdough | How warm should it rise? <nil>
}
