package postgres

import (
	"context"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"lens/internal/errs"
	"lens/internal/testenv"
	"lens/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// openAt opens the archive at a URL until the test ends.
func openAt(tb testing.TB, opts Options) *Store {
	tb.Helper()
	s, err := Open(tb.Context(), opts)
	must(tb, err)
	tb.Cleanup(func() { must(tb, s.Close()) })
	return s
}

// put writes a conversation in one commit.
func put(ctx context.Context, s *Store, c store.Conversation) error {
	return s.Update(ctx, func(tx store.Tx) error { return putIn(ctx, tx, c) })
}

func putIn(ctx context.Context, tx store.Tx, c store.Conversation) error {
	first, err := tx.ReserveOrds(ctx, len(c.Turns))
	if err != nil {
		return err
	}
	for i := range c.Turns {
		c.Turns[i].Ord = first + store.Ord(i)
	}
	if err := tx.PutConversations(ctx, []store.Conversation{c}); err != nil {
		return err
	}
	if err := tx.PutMessages(ctx, c.ID, c.Messages); err != nil {
		return err
	}
	return tx.PutTurns(ctx, c.Turns)
}

// count returns the number of turns in the archive, read one by one.
func count(tb testing.TB, s *Store) (n int) {
	tb.Helper()
	for _, err := range s.EachTurn(tb.Context(), store.Filter{}) {
		must(tb, err)
		n++
	}
	return n
}

var must = testenv.Must

// wantError checks the code, the message and the hint of err.
func wantError(tb testing.TB, err error, code errs.Code, message, hint string) {
	tb.Helper()
	storeErr, ok := err.(*errs.Error)
	switch {
	case !ok:
		tb.Fatalf("got %v, want a *errs.Error", err)
	case storeErr.Code != code || !strings.Contains(storeErr.Message, message) || !strings.Contains(storeErr.Hint, hint) || storeErr.Hint == "":
		tb.Fatalf("got %s, %q, hint %q (%v); want %s, %q, hint %q", storeErr.Code, storeErr.Message, storeErr.Hint, storeErr.Err, code, message, hint)
	}
}
