package transfer_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"lens/internal/demo"
	"lens/internal/errs"
	"lens/internal/testenv"
	"lens/store"
	"lens/store/archivetest"
	"lens/store/ingest"
	"lens/store/postgres"
	"lens/store/postgres/pgtest"
	"lens/store/sqlite"
	"lens/store/transfer"
)

var must = testenv.Must

// both is what both backends are.
type both interface {
	store.Store
	store.Dumper
}

func newSQLite(t *testing.T) both { return archivetest.New(t) }

func newPostgres(t *testing.T) both {
	t.Helper()
	st, err := postgres.Open(t.Context(), postgres.Options{URL: pgtest.Schema(t)})
	must(t, err)
	t.Cleanup(func() { must(t, st.Close()) })
	return st
}

// dumped returns everything that an archive holds, a line each, except for ordinals and the numbers of generations.
func dumped(t *testing.T, st store.Dumper) string {
	t.Helper()
	var lines []string
	add := func(format string, args ...any) error {
		lines = append(lines, fmt.Sprintf(format, args...))
		return nil
	}
	names := map[store.GenerationID]string{}
	must(t, st.Dump(t.Context(), store.Dump{
		Generation: func(g store.Generation) error {
			names[g.ID] = g.Provider + "/" + g.Name()
			return add("generation %s %v %d %v", names[g.ID], g.Active, g.Vectors, g.Created)
		},
		Conversation: func(c store.Conversation) error {
			for i := range c.Turns {
				t, chunk := c.Turns[i], c.Turns[i].Chunk
				t.Ord, t.Chunk = 0, nil
				_ = add("turn %+v %+v", t, chunk)
			}
			for _, m := range c.Messages {
				_ = add("message %+v", m)
			}
			document := c.Document
			c.Turns, c.Messages, c.Document = nil, nil, nil
			return add("conversation %+v %+v", c, document)
		},
		Versions: func(id uuid.UUID, body []byte) error { return add("versions %s %x", id, body) },
		Vectors: func(gen store.GenerationID, page []store.Vector) error {
			for _, v := range page {
				_ = add("vector %s %+v", names[gen], v)
			}
			return nil
		},
		Texts:     func(page []store.EmbeddedText) error { return add("texts %+v", page) },
		Run:       func(r store.ImportRun) error { return add("run %+v", r) },
		Forgotten: func(f store.Forgotten) error { return add("forgotten %x %x", f.Key, f.Sorted()) },
		Imported:  func(all store.Imported) error { return add("imported %+v", all.Files) },
	}))
	slices.Sort(lines)
	return fmt.Sprint(lines)
}

func export(t *testing.T, st store.Reader) string {
	t.Helper()
	var b bytes.Buffer
	_, err := ingest.Export(t.Context(), st, &b, ingest.ExportOptions{})
	must(t, err)
	return b.String()
}

// fill imports chats and documents, embeds with two models, and forgets and replaces some of it.
func fill(t *testing.T, st store.Store) {
	t.Helper()
	notes := t.TempDir()
	must(t, os.WriteFile(filepath.Join(notes, "note.md"), []byte("# Bread\n\nA starter.\n"), 0o600))
	archivetest.Import(t, st, testenv.Demo(t, demo.Options{Turns: 150}), notes)
	seed := float32(0)
	next := func() []float32 { seed++; return []float32{1, seed / 3, -seed / 7, .1} }
	archivetest.PutVectors(t, st, "p", "older", next)
	archivetest.PutVectors(t, st, "p", "newer", next)
	ids, err := st.ConversationIDs(t.Context(), "")
	must(t, err)
	_, err = ingest.Forget(t.Context(), st, ingest.ForgetOptions{Conversations: ids[:2]})
	must(t, err)
	must(t, st.Update(t.Context(), func(tx store.Tx) error {
		epoch, err := tx.ImportedEpoch(t.Context())
		files := []store.ImportedFile{{Root: "/r"}, {Root: "/r", Path: "/r/f"}}
		for i := range files {
			files[i].Data, files[i].Imported = []byte("{}"), time.UnixMicro(int64(i)).UTC()
		}
		return errors.Join(err, tx.PutImportedFiles(t.Context(), epoch, files))
	}))
}

func TestCopy_SameArchiveOnEveryBackend(t *testing.T) {
	first := newSQLite(t)
	fill(t, first)
	want, wantExport := dumped(t, first), export(t, first)
	from := first
	for _, open := range []func(*testing.T) both{newSQLite, newPostgres, newPostgres, newSQLite} {
		to := open(t)
		copied, err := transfer.Copy(t.Context(), from, to, nil)
		must(t, err)
		name := fmt.Sprintf("%T to %T", from, to)
		if got := dumped(t, to); got != want {
			t.Errorf("%s: the copy differs: %d bytes, want %d", name, len(got), len(want))
		}
		if export(t, to) != wantExport {
			t.Errorf("%s: the export differs", name)
		}
		wantSameAnswers(t, name, first, to)
		if copied.Turns == 0 || copied.Vectors == 0 || copied.Messages < copied.Turns {
			t.Errorf("%s: copied %+v", name, copied)
		}
		archivetest.Import(t, to, testenv.Demo(t, demo.Options{Turns: 20, Seed: 9})) // ordinals are not used twice
		back := open(t)
		if _, err := transfer.Copy(t.Context(), first, back, nil); err != nil {
			t.Fatal(err)
		}
		from = back
	}
}

// wantSameAnswers compares the keyword and vector indexes of two archives.
func wantSameAnswers(t *testing.T, name string, a, b both) {
	t.Helper()
	answers := func(st both) string {
		lists, err := st.Postings(t.Context(), []string{"sourdough", "starter", store.HasCode})
		must(t, err)
		near, err := st.Nearest(t.Context(), []float32{1, 0, 0, 0}, store.Filter{}, 20)
		must(t, err)
		catalog, err := st.Catalog(t.Context())
		must(t, err)
		return fmt.Sprint(lists, near, catalog.TotalLength, catalog.ID)
	}
	if answers(a) != answers(b) {
		t.Errorf("%s: searches differ", name)
	}
}

func TestCopy_NeedsAnEmptyArchive(t *testing.T) {
	from, to := newSQLite(t), newSQLite(t)
	archivetest.Import(t, from, testenv.Demo(t, demo.Options{Turns: 20}))
	archivetest.Import(t, to, testenv.Demo(t, demo.Options{Turns: 10, Seed: 3}))
	want := dumped(t, to)
	if _, err := transfer.Copy(t.Context(), from, to, nil); errs.CodeOf(err) != errs.Invalid || dumped(t, to) != want {
		t.Errorf("got %v", err)
	}
	must(t, to.Update(t.Context(), func(tx store.Tx) error { return tx.ForgetEverything(t.Context()) }))
	_, err := transfer.Copy(t.Context(), from, to, nil) // above the ordinals of the forgotten turns
	must(t, err)
	if dumped(t, to) != dumped(t, from) || export(t, to) != export(t, from) {
		t.Error("the copy differs")
	}
}

// An interrupted copy leaves the archive empty, and can be made again.
func TestCopy_Interrupted(t *testing.T) {
	from := newSQLite(t)
	fill(t, from)
	for _, open := range []func(*testing.T) both{newSQLite, newPostgres} {
		to := open(t)
		ctx, stop := context.WithCancel(t.Context())
		_, err := transfer.Copy(ctx, from, to, func(turns int) {
			if turns > 50 {
				stop()
			}
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%T: got %v", to, err)
		}
		must(t, transfer.MustBeEmpty(t.Context(), to))
		_, err = transfer.Copy(t.Context(), from, to, nil)
		must(t, err)
		if dumped(t, to) != dumped(t, from) {
			t.Errorf("%T: the copy differs", to)
		}
	}
}

// TestCopy_OfOneCommit copies an archive while it is being written.
func TestCopy_OfOneCommit(t *testing.T) {
	for _, open := range []func(*testing.T) both{newSQLite, newPostgres} {
		from, to := open(t), newSQLite(t)
		archivetest.Import(t, from, testenv.Demo(t, demo.Options{Turns: 100}))
		want := export(t, from)
		written := false
		_, err := transfer.Copy(t.Context(), from, to, func(int) {
			if !written {
				written = true
				archivetest.Import(t, from, testenv.Demo(t, demo.Options{Turns: 30, Seed: 7}))
			}
		})
		must(t, err)
		if export(t, to) != want || export(t, from) == want {
			t.Errorf("%T: not as of the commit at its beginning", from)
		}
	}
}

func BenchmarkCopy(b *testing.B) {
	from := archivetest.New(b, testenv.Demo(b, demo.Options{}))
	for b.Loop() {
		to, err := sqlite.Open(b.Context(), sqlite.Options{Dir: b.TempDir()})
		must(b, err)
		_, err = transfer.Copy(b.Context(), from, to, nil)
		must(b, errors.Join(err, to.Close()))
	}
}
