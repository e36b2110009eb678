package sqlite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/ncruces/go-sqlite3"

	"lens/internal/errs"
	"lens/internal/vault"
	"lens/store"
	"lens/store/storetest"
)

// keysFor returns new keys.
func keysFor(tb testing.TB) *vault.Keys {
	tb.Helper()
	_, keys, err := vault.New(tb.TempDir(), vault.Secrets{PIN: "correct horse battery", NoKeyring: true, Recovery: vault.NewRecovery()},
		vault.Options{Params: vault.Params{Memory: 64, Time: 1, Threads: 1}})
	must(tb, err)
	return keys
}

// canary is a word in every conversation of these tests.
const canary = "zanzibarine"

// filled creates an archive of n turns with vectors.
func filled(t *testing.T, opts Options, n int) store.Conversation {
	t.Helper()
	s, err := Open(t.Context(), opts)
	must(t, err)
	c := storetest.Chat(n, canary)
	must(t, put(t.Context(), s, c))
	must(t, embedAll(t.Context(), s, c))
	must(t, s.Close())
	return c
}

func TestEncryption_NoPlaintextOnDisk(t *testing.T) {
	dir, keys := t.TempDir(), keysFor(t)
	s := openIn(t, Options{Dir: dir, Keys: keys})
	n, expected := minCatalogFileTurns, []string{"lens.db", "vectors", "catalog"}
	if testing.Short() {
		n, expected = 100, expected[:2]
	}
	c := storetest.Chat(n, canary)
	must(t, put(t.Context(), s, c))
	must(t, embedAll(t.Context(), s, c))
	_, err := s.Nearest(t.Context(), []float32{1, 0, 0, 0}, store.Filter{}, 3)
	must(t, err)
	files := map[string]bool{}
	must(t, filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if e.Name() == "lens.writer" && errors.Is(err, fs.ErrNotExist) {
			return nil // removed meanwhile: the writer of a cache has just ended
		}
		files[strings.SplitN(e.Name(), "-", 2)[0]] = true
		for _, secret := range []string{canary, "SQLite format", "LENSVEC", "LENSCAT", "CREATE TABLE"} {
			if bytes.Contains(content, []byte(secret)) {
				t.Errorf("%s holds %q", e.Name(), secret)
			}
		}
		return err
	}))
	for _, kind := range expected {
		if !files[kind] {
			t.Errorf("there is no %s file: nothing was looked into", kind)
		}
	}
}

func TestEncryption_WrongKey(t *testing.T) {
	dir, keys := t.TempDir(), keysFor(t)
	filled(t, Options{Dir: dir, Keys: keys}, 3)
	for name, other := range map[string]Keys{"other keys": keysFor(t), "no keys": nil} {
		_, err := Open(t.Context(), Options{Dir: dir, Keys: other})
		if code := errs.CodeOf(err); code != errs.Unavailable && code != errs.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	s := openIn(t, Options{Dir: dir, Keys: keys})
	must(t, s.checkIntegrity())
}

func TestEncryption_ModifiedCacheIsRejected(t *testing.T) {
	dir, keys := t.TempDir(), keysFor(t)
	opts := Options{Dir: dir, Keys: keys}
	filled(t, opts, 50)
	query := []float32{1, 0, 0, 0}
	nearest := func() []store.Neighbor {
		s, err := Open(t.Context(), opts)
		must(t, err)
		found, err := s.Nearest(t.Context(), query, store.Filter{}, 5)
		must(t, errors.Join(err, s.Close()))
		return found
	}
	wanted := fmt.Sprint(nearest())
	path := glob(t, dir, "vectors-*.idx")[0]
	before, err := os.Stat(path)
	must(t, err)
	if got := fmt.Sprint(nearest()); got != wanted {
		t.Errorf("the second time %s, not %s", got, wanted)
	}
	after, err := os.Stat(path)
	must(t, err)
	if !after.ModTime().Equal(before.ModTime()) {
		t.Error("the index was made again, though it is there")
	}
	for range 20 {
		file, err := os.ReadFile(path)
		must(t, err)
		file[rand.IntN(len(file))] ^= 1 << rand.IntN(8)
		must(t, os.WriteFile(path, file, 0o600))
		if got := fmt.Sprint(nearest()); got != wanted {
			t.Fatalf("from a damaged index %s, not %s", got, wanted)
		}
	}
}

func TestEncryption_FlippedBitIsDetected(t *testing.T) {
	dir, keys := t.TempDir(), keysFor(t)
	filled(t, Options{Dir: dir, Keys: keys}, 400)
	closed, err := Open(t.Context(), Options{Dir: dir, Keys: keys})
	must(t, err)
	must(t, closed.truncateLog())
	must(t, closed.Close())
	path := filepath.Join(dir, "lens.db")
	whole, err := os.ReadFile(path)
	must(t, err)
	for range 40 {
		file := bytes.Clone(whole)
		file[rand.IntN(len(file))] ^= 1 << rand.IntN(8)
		for _, beside := range glob(t, dir, "lens.db-*") {
			must(t, os.Remove(beside))
		}
		must(t, os.WriteFile(path, file, 0o600))
		err := readAll(t.Context(), Options{Dir: dir, Keys: keys, ReadOnly: true})
		if errs.CodeOf(err) != errs.Unavailable || !strings.Contains(err.Error(), "damaged") {
			t.Fatalf("got %v", err)
		}
	}
	must(t, os.WriteFile(path, whole, 0o600))
	must(t, readAll(t.Context(), Options{Dir: dir, Keys: keys}))
}

// readAll opens an archive and reads every page of it.
func readAll(ctx context.Context, opts Options) (err error) {
	s, err := Open(ctx, opts)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := s.checkIntegrity(); err != nil {
		if errors.As(err, new(*errs.Error)) {
			return err
		}
		return s.explain(ctx, "check", fmt.Errorf("%w: %w", err, sqlite3.CORRUPT))
	}
	return nil
}

func TestLock_ReportsLockedAndErasesKey(t *testing.T) {
	s := openIn(t, Options{Dir: t.TempDir(), Keys: keysFor(t)})
	must(t, put(t.Context(), s, storetest.Chat(3, canary)))
	must(t, s.Lock())
	_, err := s.Catalog(t.Context())
	if errs.CodeOf(err) != errs.Locked {
		t.Errorf("reading: %v", err)
	}
	if err := put(t.Context(), s, storetest.Chat(1, canary)); errs.CodeOf(err) != errs.Locked {
		t.Errorf("writing: %v", err)
	}
	if !bytes.Equal(s.encryption.key, make([]byte, 32)) {
		t.Error("the key is still there")
	}
}

func TestCopy_KeepsEverythingUnderNewKeys(t *testing.T) {
	a, b := keysFor(t), keysFor(t)
	from := Options{Dir: t.TempDir()}
	c := filled(t, from, 200)
	for _, to := range []Options{{Dir: t.TempDir(), Keys: a}, {Dir: t.TempDir(), Keys: b}, {Dir: t.TempDir()}} {
		must(t, Copy(t.Context(), from, to))
		s, err := Open(t.Context(), to)
		must(t, err)
		turns, err := s.Turns(t.Context(), []uuid.UUID{c.Turns[7].ID})
		must(t, err)
		catalog, err := s.Catalog(t.Context())
		must(t, err)
		if len(turns) != 1 || turns[0].UserText != canary || catalog.Len() != 200 {
			t.Errorf("%d of 200 turns came along, %+v", catalog.Len(), turns)
		}
		must(t, errors.Join(s.checkIntegrity(), s.Close()))
		from = to
	}
}

func TestCopy_RefusesOpenArchive(t *testing.T) {
	from := Options{Dir: t.TempDir()}
	s := openIn(t, from)
	must(t, put(t.Context(), s, storetest.Chat(3, canary)))
	err := Copy(t.Context(), from, Options{Dir: t.TempDir(), Keys: keysFor(t)})
	if errs.CodeOf(err) != errs.Unavailable {
		t.Errorf("got %v", err)
	}
	must(t, put(t.Context(), s, storetest.Chat(3, canary)))
}

// TestEncryption_ReadersSeeWholeCommits lets readers read the end of the log while a writer appends to it.
func TestEncryption_ReadersSeeWholeCommits(t *testing.T) {
	s := openIn(t, Options{Dir: t.TempDir(), Keys: keysFor(t)})
	must(t, put(t.Context(), s, storetest.Chat(5, canary)))
	ctx, stop := context.WithCancel(t.Context())
	var readers sync.WaitGroup
	for range 2 {
		readers.Go(func() {
			for ctx.Err() == nil {
				if err := s.read(t.Context(), "read", func(c *conn) error {
					rows, err := c.catalogRows()
					if err == nil && len(rows)%5 != 0 {
						err = fmt.Errorf("%d turns", len(rows))
					}
					return err
				}); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for range 80 {
		must(t, put(t.Context(), s, storetest.Chat(5, canary)))
	}
	stop()
	readers.Wait()
}
