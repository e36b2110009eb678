package main

import (
	"context"

	"github.com/rogpeppe/go-internal/testscript"

	"lens/store"
	"lens/store/sqlite"
	"lens/store/storetest"
)

// older DIR adds a chat of three turns to the archive in a data folder as an older Lens would: their code and model are
// not indexed.
func older(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: older DIR")
	}
	ctx := context.Background()
	st, err := sqlite.Open(ctx, sqlite.Options{Dir: ts.MkAbs(args[0])})
	ts.Check(err)
	c := storetest.Chat(3, "older")
	ts.Check(st.Update(ctx, func(tx store.Tx) error {
		first, err := tx.ReserveOrds(ctx, len(c.Turns))
		ts.Check(err)
		for i := range c.Turns {
			c.Turns[i].Ord = first + store.Ord(i)
		}
		ts.Check(tx.PutConversations(ctx, []store.Conversation{c}))
		ts.Check(tx.PutMessages(ctx, c.ID, c.Messages))
		return tx.PutTurns(ctx, c.Turns)
	}))
	ts.Check(st.Close())
}
