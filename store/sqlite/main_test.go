package sqlite

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/uuid"
	"go.uber.org/goleak"

	"lens/store"
)

// TestMain runs the tests, or the job of a child process that a test has started.
func TestMain(m *testing.M) {
	if job := os.Getenv("LENS_SQLITE_CHILD"); job != "" {
		if err := children[job](os.Getenv("LENS_SQLITE_DIR")); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// children are the jobs that tests run in child processes.
var children = map[string]func(dir string) error{
	"write until killed": writeUntilKilled,
	"hold the lock":      holdTheLock,
	"read and write":     readAndWrite,
}

// child prepares a process that runs a job in dir.
func child(t *testing.T, job, dir string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	must(t, err)
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append(os.Environ(), "LENS_SQLITE_CHILD="+job, "LENS_SQLITE_DIR="+dir)
	return cmd
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

// chatOf returns a conversation of n turns with the text word.
func chatOf(n int, word string) store.Conversation {
	c := store.Conversation{ID: uuid.New(), Title: word, SourceID: word}
	for i := range n {
		user, reply := uuid.New(), uuid.New()
		id := store.TurnID(user)
		c.Messages = append(c.Messages,
			store.Message{ID: user, Seq: 2 * i, Role: store.User, Text: word, Turn: id, Visible: true, Raw: []byte(word)},
			store.Message{ID: reply, Seq: 2*i + 1, Role: store.Assistant, Text: word, Turn: id, Visible: true, Raw: []byte(word)})
		c.Turns = append(c.Turns, store.Turn{
			ID: id, Conversation: c.ID, UserMessage: user, Assistant: reply, Position: i, OnPath: true, Embeddable: true,
			Time: time.Unix(int64(i), 0).UTC(), Length: 1,
		})
	}
	return c
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
	ords, terms := make([]store.Ord, len(c.Turns)), make([][]store.TermCount, len(c.Turns))
	for i := range c.Turns {
		c.Turns[i].Ord = first + store.Ord(i)
		ords[i], terms[i] = c.Turns[i].Ord, []store.TermCount{{Term: c.Title, Count: 1}}
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

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

func glob(t *testing.T, dir, pattern string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, pattern))
	must(t, err)
	return paths
}
