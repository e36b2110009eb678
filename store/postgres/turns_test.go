package postgres

import (
	"testing"

	"github.com/google/uuid"

	"lens/store"
	"lens/store/postgres/pgtest"
	"lens/store/storetest"
)

func TestBulk_LastRowOfAnIDWins(t *testing.T) {
	s := openAt(t, Options{URL: pgtest.Schema(t)})
	c := storetest.Chat(1, "first")
	second, third := c.Messages[0], c.Messages[0]
	second.Text, third.Text = "second", "third"
	c.Messages = append(c.Messages, second, third)
	must(t, put(t.Context(), s, c))
	turns, err := s.Turns(t.Context(), []uuid.UUID{c.Turns[0].ID})
	must(t, err)
	if turns[0].UserText != "third" {
		t.Errorf("got %q", turns[0].UserText)
	}
}

func TestEachTurn_ReadsOneCommit(t *testing.T) {
	s := openAt(t, Options{URL: pgtest.Schema(t)})
	c := storetest.Chat(3*turnsPerRead, "before")
	must(t, put(t.Context(), s, c))
	n := 0
	for turn, err := range s.EachTurn(t.Context(), store.Filter{}) {
		must(t, err)
		if n == 0 {
			must(t, s.Update(t.Context(), func(tx store.Tx) error {
				_, err := tx.Forget(t.Context(), []uuid.UUID{c.ID})
				return err
			}))
		}
		if turn.UserText != "before" {
			t.Fatalf("turn %d says %q", n, turn.UserText)
		}
		n++
	}
	if n != 3*turnsPerRead || count(t, s) != 0 {
		t.Errorf("%d turns, and %d afterwards; want %d and none", n, count(t, s), 3*turnsPerRead)
	}
}

func TestEachTurn_MoreReadersThanConnections(t *testing.T) {
	s := openAt(t, Options{URL: with(t, pgtest.Schema(t), "pool_max_conns", "1")})
	must(t, put(t.Context(), s, storetest.Chat(5, "word")))
	var nested func(depth int)
	nested = func(depth int) {
		for turn, err := range s.EachTurn(t.Context(), store.Filter{}) {
			must(t, err)
			if _, err := s.Turns(t.Context(), []uuid.UUID{turn.ID}); err != nil {
				t.Fatal(err)
			}
			if depth > 0 {
				nested(depth - 1)
			}
			return
		}
	}
	nested(4)
}
