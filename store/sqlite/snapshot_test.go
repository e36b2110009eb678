package sqlite

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"lens/internal/errs"
	"lens/store"
	"lens/store/storetest"
)

// TestSnapshot_OfOneCommit takes snapshots while a writer commits.
func TestSnapshot_OfOneCommit(t *testing.T) {
	for name, keys := range map[string]Keys{"plain": nil, "encrypted": keysFor(t)} {
		t.Run(name, func(t *testing.T) {
			s := openIn(t, Options{Dir: t.TempDir(), Keys: keys})
			must(t, put(t.Context(), s, storetest.Chat(5, canary)))
			ctx, stop := context.WithCancel(t.Context())
			var writer sync.WaitGroup
			writer.Go(func() {
				for ctx.Err() == nil {
					must(t, put(t.Context(), s, storetest.Chat(5, canary)))
				}
			})
			last := 0
			for range 4 {
				copied := Options{Dir: t.TempDir(), Keys: keys}
				must(t, s.Snapshot(t.Context(), copied.Dir))
				held, err := Verify(t.Context(), copied)
				must(t, err)
				if held.Turns%5 != 0 || held.Turns < last || held.Messages != 2*held.Turns || 5*held.Conversations != held.Turns {
					t.Errorf("a snapshot holds %+v, the one before %d turns", held, last)
				}
				last = held.Turns
				must(t, readAll(t.Context(), copied))
				wantWritable(t, copied, held.Turns)
				content, err := os.ReadFile(filepath.Join(copied.Dir, "lens.db"))
				must(t, err)
				if bytes.Contains(content, []byte("SQLite format")) != (keys == nil) {
					t.Error("not encrypted as the archive is")
				}
			}
			stop()
			writer.Wait()
			if last <= 5 {
				t.Error("nothing was written meanwhile")
			}
			if err := s.read(t.Context(), "write", func(c *conn) error { return c.run("PutTermsVersion", 1) }); err == nil {
				t.Error("a reader may write afterwards")
			}
		})
	}
}

// wantWritable writes to an archive with so many turns.
func wantWritable(t *testing.T, opts Options, turns int) {
	t.Helper()
	s, err := Open(t.Context(), opts)
	must(t, err)
	must(t, put(t.Context(), s, storetest.Chat(1, canary)))
	catalog, err := s.Catalog(t.Context())
	must(t, errors.Join(err, s.Close()))
	if catalog.Len() != turns+1 {
		t.Errorf("%d turns after writing one to %d", catalog.Len(), turns)
	}
}

func TestSnapshot_Canceled(t *testing.T) {
	s := openIn(t, Options{Dir: t.TempDir()})
	must(t, put(t.Context(), s, storetest.Chat(2000, canary)))
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := s.Snapshot(ctx, t.TempDir()); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	must(t, s.Snapshot(t.Context(), t.TempDir()))
}

func TestSnapshot_Locked(t *testing.T) {
	s := openIn(t, Options{Dir: t.TempDir(), Keys: keysFor(t)})
	must(t, s.Lock())
	if err := s.Snapshot(t.Context(), t.TempDir()); errs.CodeOf(err) != errs.Locked {
		t.Errorf("got %v", err)
	}
}

func TestVerify_Counts(t *testing.T) {
	opts := Options{Dir: t.TempDir()}
	filled(t, opts, 7)
	held, err := Verify(t.Context(), opts)
	must(t, err)
	if want := (store.Counts{Conversations: 1, Messages: 14, Turns: 7, Vectors: 7}); held != want {
		t.Errorf("got %+v, want %+v", held, want)
	}
}

func TestVerify_Damaged(t *testing.T) {
	for name, keys := range map[string]Keys{"plain": nil, "encrypted": keysFor(t)} {
		opts := Options{Dir: t.TempDir(), Keys: keys}
		filled(t, opts, 400)
		path := filepath.Join(opts.Dir, "lens.db")
		whole, err := os.ReadFile(path)
		must(t, err)
		for _, length := range []int{100, len(whole) / 2} {
			must(t, os.WriteFile(path, whole[:length], 0o600))
			if _, err := Verify(t.Context(), opts); err == nil {
				t.Errorf("%s: %d of %d bytes count as an archive", name, length, len(whole))
			}
		}
		if keys != nil {
			opts.Keys = keysFor(t)
			must(t, os.WriteFile(path, whole, 0o600))
			if _, err := Verify(t.Context(), opts); errs.CodeOf(err) != errs.Unavailable {
				t.Errorf("with another key: %v", err)
			}
		}
	}
	if _, err := Verify(t.Context(), Options{Dir: t.TempDir()}); errs.CodeOf(err) != errs.NotFound {
		t.Errorf("no archive: %v", err)
	}
}
