package storetest

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"

	"lens/internal/errs"
	"lens/store"
	"lens/store/terms"
)

// archive is an empty archive of the backend. Its helpers end the test if something fails that is not
// under test.
type archive struct {
	store.Store
	h    Harness
	open Open
}

func newArchive(tb testing.TB, h Harness) *archive {
	tb.Helper()
	open := h.New(tb)
	a := &archive{h: h, open: open}
	a.Store = a.openAgain(tb)
	return a
}

// openAgain opens the archive once more, until the test ends.
func (a *archive) openAgain(tb testing.TB) store.Store {
	tb.Helper()
	s, err := a.open()
	must(tb, err)
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Errorf("close: %v", err)
		}
	})
	return s
}

// update runs a write that must succeed.
func (a *archive) update(tb testing.TB, fn func(tx store.Tx) error) {
	tb.Helper()
	must(tb, a.Update(tb.Context(), fn))
}

// put writes whole conversations in one commit and returns them with the Ords of their turns.
func (a *archive) put(tb testing.TB, conversations ...store.Conversation) []store.Conversation {
	tb.Helper()
	a.update(tb, func(tx store.Tx) error { return write(tb.Context(), tx, conversations) })
	return conversations
}

// write writes conversations like an import, without checking what is stored. It fills in the Ords of
// the turns.
func write(ctx context.Context, tx store.Tx, conversations []store.Conversation) error {
	ords, err := writeRows(ctx, tx, conversations)
	if err != nil {
		return err
	}
	return tx.AddTerms(ctx, ords, termsOf(conversations))
}

// writeRows writes everything except the terms and returns the Ords of the turns.
func writeRows(ctx context.Context, tx store.Tx, conversations []store.Conversation) (ords []store.Ord, err error) {
	if err := tx.PutConversations(ctx, conversations); err != nil {
		return nil, err
	}
	var turns []store.Turn
	for i := range conversations {
		c := &conversations[i]
		if err := tx.PutMessages(ctx, c.ID, c.Messages); err != nil {
			return nil, err
		}
		first, err := tx.ReserveOrds(ctx, len(c.Turns))
		if err != nil {
			return nil, err
		}
		for j := range c.Turns {
			c.Turns[j].Ord = first + store.Ord(j)
			ords = append(ords, c.Turns[j].Ord)
		}
		turns = append(turns, c.Turns...)
	}
	return ords, tx.PutTurns(ctx, turns)
}

// termsOf analyzes the texts of all turns.
func termsOf(conversations []store.Conversation) (counts []store.Terms) {
	var analyzer terms.Analyzer
	for i := range conversations {
		for _, turn := range conversations[i].Turns {
			counts = append(counts, analyzer.Turn(&turn))
		}
	}
	return counts
}

// turns reads turns that must exist.
func (a *archive) turns(tb testing.TB, ids ...uuid.UUID) []store.Turn {
	tb.Helper()
	turns, err := a.Turns(tb.Context(), ids)
	must(tb, err)
	return withoutCreated(tb, turns)
}

// withoutCreated checks the creation times of turns, which depend on the clock, and clears them.
func withoutCreated(tb testing.TB, turns []store.Turn) []store.Turn {
	tb.Helper()
	for i := range turns {
		created := turns[i].Created
		if ago := time.Since(created); ago < -time.Minute || ago > time.Hour || created.Location() != time.UTC {
			tb.Errorf("turn %s: Created is %v, want about now in UTC", turns[i].ID, created)
		}
		turns[i].Created = time.Time{}
	}
	return turns
}

// catalog reads the catalog.
func (a *archive) catalog(tb testing.TB) *store.Catalog {
	tb.Helper()
	c, err := a.Catalog(tb.Context())
	must(tb, err)
	return c
}

// each returns the turns of EachTurn.
func (a *archive) each(tb testing.TB, f store.Filter) (turns []store.Turn) {
	tb.Helper()
	for t, err := range a.EachTurn(tb.Context(), f) {
		must(tb, err)
		turns = append(turns, t)
	}
	return withoutCreated(tb, turns)
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// wantCode checks that err has the given code and a text.
func wantCode(tb testing.TB, err error, want errs.Code) {
	tb.Helper()
	switch {
	case err == nil:
		tb.Fatalf("no error, want %q", want)
	case errs.CodeOf(err) != want:
		tb.Fatalf("code %q (%v), want %q", errs.CodeOf(err), err, want)
	case err.Error() == "":
		tb.Fatal("the error has no text")
	}
}

// want compares two values.
func want[T comparable](tb testing.TB, what string, got, want T) {
	tb.Helper()
	if got != want {
		tb.Errorf("%s: got %v, want %v", what, got, want)
	}
}
