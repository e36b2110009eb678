package sqlite

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"lens/internal/testenv"
	"lens/store"
)

func TestMain(m *testing.M) {
	testenv.BeChild()
	goleak.VerifyTestMain(m)
}

// openIn opens the archive in dir until the test ends.
func openIn(tb testing.TB, opts Options) *Store {
	tb.Helper()
	s, err := Open(tb.Context(), opts)
	must(tb, err)
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Errorf("close: %v", err)
		}
	})
	return s
}

// put writes conversations in one commit.
func put(ctx context.Context, s *Store, conversations ...store.Conversation) error {
	return s.Update(ctx, func(tx store.Tx) error {
		for _, c := range conversations {
			if err := putOne(ctx, tx, c); err != nil {
				return err
			}
		}
		return nil
	})
}

func putOne(ctx context.Context, tx store.Tx, c store.Conversation) error {
	first, err := tx.ReserveOrds(ctx, len(c.Turns))
	if err != nil {
		return err
	}
	ords, terms := make([]store.Ord, len(c.Turns)), make([]store.Terms, len(c.Turns))
	for i := range c.Turns {
		c.Turns[i].Ord = first + store.Ord(i)
		ords[i], terms[i] = c.Turns[i].Ord, store.ListTerms([]store.TermCount{{Term: c.Title, Count: 1}})[0]
	}
	if err := tx.PutConversations(ctx, []store.Conversation{c}); err != nil {
		return err
	}
	if err := tx.PutMessages(ctx, c.ID, c.Messages); err != nil {
		return err
	}
	if err := tx.PutTurns(ctx, c.Turns); err != nil {
		return err
	}
	return tx.AddTerms(ctx, ords, terms)
}

// embedAll gives all turns of a conversation vectors of dim 4 in an active generation.
func embedAll(ctx context.Context, s *Store, c store.Conversation) error {
	return s.Update(ctx, func(tx store.Tx) error {
		g, err := tx.PutGeneration(ctx, store.Generation{Provider: "p", Model: "m", Dim: 4, Recipe: 1})
		if err != nil {
			return err
		}
		var vectors []store.Vector
		for i := range c.Turns {
			vectors = append(vectors, store.Vector{Turn: c.Turns[i].ID, Values: []float32{1, float32(i), 0, -1}})
		}
		if err := tx.PutVectors(ctx, g.ID, vectors); err != nil {
			return err
		}
		return tx.Activate(ctx, g.ID)
	})
}

var must = testenv.Must

func glob(t *testing.T, dir, pattern string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, pattern))
	must(t, err)
	return paths
}

// checkIntegrity lets SQLite check every page.
func (s *Store) checkIntegrity() error {
	return s.read(context.Background(), "check", func(c *conn) error {
		stmt, _, err := c.Prepare("PRAGMA integrity_check")
		if err != nil {
			return err
		}
		defer stmt.Close()
		if !stmt.Step() || stmt.ColumnText(0) != "ok" {
			return fmt.Errorf("integrity: %s (%w)", stmt.ColumnText(0), stmt.Err())
		}
		return nil
	})
}
