package boot

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"lens/internal/config"
	"lens/store"
)

func TestAnArchiveThatComesLaterIsServed(t *testing.T) {
	dir := t.TempDir()
	s := New(config.Config{DataDir: dir, Embedding: config.Embedding{Kind: config.None}}, "serve").Service()
	defer s.Close()
	if _, err := s.Engine(t.Context()); store.CodeOf(err) != store.CodeNotFound {
		t.Fatalf("before there is one: %v", err)
	}
	writer := New(config.Config{DataDir: dir}, "import")
	if _, err := writer.writing(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if _, err := s.Engine(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

func TestWhoWaitsForAnArchiveWaitsNoLongerThanWished(t *testing.T) {
	s := New(config.Config{DataDir: t.TempDir()}, "serve").Service()
	s.mu.Lock() // as if it were being opened
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := s.Engine(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	s.mu.Unlock()
	if _, err := s.Engine(t.Context()); store.CodeOf(err) != store.CodeNotFound {
		t.Errorf("got %v", err)
	}
}

func TestFromAfarNobodyLearnsWhereTheArchiveIs(t *testing.T) {
	of := func(op, message, hint string) error {
		return fmt.Errorf("above: %w", &store.Error{Code: store.CodeUnavailable, Op: op, Message: message, Hint: hint})
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{of("retrieval: peek", "no turn is embedded yet", "run lens embed"), "No turn is embedded yet. Run lens embed."},
		{of("retrieval: turn", "this is not the beginning of a turn id.", ""), "This is not the beginning of a turn id."},
		{of("postgres: catalog", "no Postgres answers at 10.0.0.1", "start it"), ""},
		{of("sqlite: open", "/home/me/lens.db is damaged", ""), ""},
		{of("open archive", "there is no archive in /home/me yet", ""), ""},
		{errors.New("secret"), ""},
	} {
		if got := ExplainAfar(c.err); got != c.want {
			t.Errorf("%v: %q, want %q", c.err, got, c.want)
		}
	}
}

func TestALogForOthersBlotsSecretsOut(t *testing.T) {
	var out bytes.Buffer
	l := New(config.Config{DataDir: t.TempDir(), APIKeys: []string{"a-key-of-mine"}, DatabaseURL: "postgres://me:hunter2@db/x"}, "serve")
	l.LogTo(&out).Info("request", "why", "a-key-of-mine", "at", "hunter2")
	if line := out.String(); strings.Contains(line, "mine") || strings.Contains(line, "hunter2") || !strings.Contains(line, `"why":"[hidden]"`) {
		t.Errorf("logged %s", line)
	}
}
