package ingest_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"go.uber.org/goleak"

	"lens/internal/errs"
	"lens/internal/testenv"
	"lens/store"
	"lens/store/ingest"
	"lens/store/sqlite"
)

func TestMain(m *testing.M) {
	testenv.BeChild()
	goleak.VerifyTestMain(m)
}

func archiveIn(t testing.TB, dir string) store.Store {
	t.Helper()
	st, err := sqlite.Open(context.Background(), sqlite.Options{Dir: dir, Verb: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	return st
}

func newArchive(t testing.TB) store.Store { return archiveIn(t, t.TempDir()) }

// importChats imports content and checks that the receipt adds up.
func importChats(t testing.TB, st store.Store, content any) *ingest.Receipt {
	t.Helper()
	return importChatsIn(t, st, content, 0)
}

// importChatsIn is importing with batches of at most that many bytes; 1 makes one batch per conversation.
func importChatsIn(t testing.TB, st store.Store, content any, batch int) *ingest.Receipt {
	t.Helper()
	r, err := ingest.Import(t.Context(), st, []string{writeExport(t, content)}, ingest.Options{BatchBytes: batch})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Check(); err != nil {
		t.Fatal(err)
	}
	return r
}

// exportAll returns everything in the archive, including branches.
func exportAll(t testing.TB, st store.Store) string {
	t.Helper()
	var b strings.Builder
	if _, err := ingest.Export(t.Context(), st, &b, ingest.ExportOptions{Filter: store.Filter{AllBranches: true}}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func turnOf(t testing.TB, st store.Store, message string) store.Turn {
	t.Helper()
	turns, err := st.Turns(t.Context(), []uuid.UUID{store.TurnID(testID(message))})
	if err != nil {
		t.Fatal(err)
	}
	return turns[0]
}

// findsTurn reports whether the keyword index finds the turn of a message by a term.
func findsTurn(t testing.TB, st store.Store, term, message string) bool {
	t.Helper()
	return slices.Contains(found(t, st, term), store.TurnID(testID(message)))
}

// found returns the live turns that the keyword index finds by a term.
func found(t testing.TB, st store.Store, term string) (turns []uuid.UUID) {
	t.Helper()
	lists, err := st.Postings(t.Context(), []string{term})
	testenv.Must(t, err)
	catalog, err := st.Catalog(t.Context())
	testenv.Must(t, err)
	for _, ord := range lists[0].Ords {
		if row, alive := catalog.Row(ord); alive {
			turns = append(turns, catalog.ID[row])
		}
	}
	return turns
}

func TestImport_CountsAndIndexes(t *testing.T) {
	st := newArchive(t)
	r := importChats(t, st, []chat{heron()})
	if r.Conversations != (ingest.Changes{New: 1}) || r.Messages != (ingest.Changes{New: 4}) || r.Turns.New != 2 || r.Turns.Embeddable != 2 {
		t.Errorf("receipt %+v", r)
	}
	if r.Skipped["no message"] != 1 {
		t.Errorf("skipped %v, want the root", r.Skipped)
	}
	if !findsTurn(t, st, "heron", "h1") || !findsTurn(t, st, "tree", "h3") || findsTurn(t, st, "tree", "h1") {
		t.Error("the keyword index does not find what was said")
	}
	if turn := turnOf(t, st, "h3"); turn.UserText != "Where does it nest?" || turn.AssistantText != "In trees, mostly." || turn.Length != 3 {
		t.Errorf("turn %+v", turn)
	}
	runs, err := st.ImportRuns(t.Context(), 10)
	if err != nil || len(runs) != 1 || !strings.Contains(string(runs[0].Receipt), `"new":1`) {
		t.Errorf("runs %v, %v", runs, err)
	}
}

func TestImport_SecondImportChangesNothing(t *testing.T) {
	st := newArchive(t)
	content := append(manyChats(50), heron())
	importChats(t, st, content)
	before, version := exportAll(t, st), catalogVersion(t, st)
	r := importChats(t, st, content)
	if r.Changed() || r.Conversations != (ingest.Changes{Unchanged: 51}) || r.Messages != (ingest.Changes{Unchanged: 104}) || r.Turns.New != 0 {
		t.Errorf("receipt %+v", r)
	}
	if exportAll(t, st) != before || catalogVersion(t, st) != version {
		t.Error("the archive changed")
	}
}

func catalogVersion(t testing.TB, st store.Store) int64 {
	t.Helper()
	catalog, err := st.Catalog(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return catalog.Version
}

func TestImport_IncompleteFile(t *testing.T) {
	st := newArchive(t)
	whole := writeExport(t, manyChats(40))
	raw, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	cut, other := writeExport(t, string(raw[:len(raw)-40])), writeExport(t, []chat{heron()})
	r, err := ingest.Import(t.Context(), st, []string{cut, other}, ingest.Options{})
	var failure *errs.Error
	if !errors.As(err, &failure) || failure.Code != errs.Invalid || failure.Hint == "" {
		t.Fatalf("got %v", err)
	}
	if !strings.Contains(err.Error(), "; 39 conversations were read from it") || !strings.Contains(err.Error(), cut) {
		t.Errorf("the error does not say how many conversations came before it: %v", err)
	}
	if r.Check() != nil || r.Conversations.New != 40 || r.Files[0].Conversations != 39 || r.Files[1].Conversations != 1 {
		t.Errorf("receipt %+v", r)
	}
	r, err = ingest.Import(t.Context(), st, []string{whole}, ingest.Options{})
	if err != nil || r.Conversations != (ingest.Changes{New: 1, Unchanged: 39}) {
		t.Errorf("the whole file: %+v, %v", r, err)
	}
}

func TestImport_MissingPath(t *testing.T) {
	st := newArchive(t)
	missing := filepath.Join(t.TempDir(), "gone.zip")
	r, err := ingest.Import(t.Context(), st, []string{missing, writeExport(t, []chat{heron()})}, ingest.Options{})
	if errs.CodeOf(err) != errs.NotFound || !strings.Contains(err.Error(), missing) {
		t.Errorf("got %v", err)
	}
	if r.Conversations.New != 1 || len(r.Paths) != 2 || !strings.HasSuffix(r.Paths[0].Error, "no such file or folder") || r.Paths[1].Error != "" {
		t.Errorf("the other path: %+v", r)
	}
	r, err = ingest.Import(t.Context(), st, []string{missing}, ingest.Options{})
	if errs.CodeOf(err) != errs.NotFound || r.Paths[0].Error == "" {
		t.Errorf("alone: %+v, %v", r, err)
	}
	if runs, err := st.ImportRuns(t.Context(), 10); err != nil || len(runs) != 1 {
		t.Errorf("an import that read nothing is kept as a run: %v, %v", runs, err)
	}
}

// What is read when an import is stopped is kept, though the transaction could take more.
func TestImport_CanceledKeepsWhatIsWritten(t *testing.T) {
	st, path := newArchive(t), writeExport(t, manyChats(20_000))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, err := ingest.Import(ctx, st, []string{path}, ingest.Options{Progress: func(p ingest.Progress) {
		if p.Conversations > 0 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) || r.Check() != nil || r.Conversations.New == 0 || r.Conversations.New == 20_000 {
		t.Fatalf("receipt %+v, %v", r.Conversations, err)
	}
	if catalog, err := st.Catalog(t.Context()); err != nil || len(catalog.Conversations) != r.Conversations.New {
		t.Errorf("%d conversations are stored, %d counted: %v", len(catalog.Conversations), r.Conversations.New, err)
	}
}

func TestImport_GoesOnBehindDamage(t *testing.T) {
	st, path := newArchive(t), writeExport(t, manyChats(5))
	raw, err := os.ReadFile(path)
	testenv.Must(t, err)
	all := strings.SplitAfter(string(raw), `"mapping":`)
	all[2] = strings.Replace(all[2], `{`, `{\"`, 1) // of the second conversation
	testenv.Must(t, os.WriteFile(path, []byte(strings.Join(all, "")), 0o600))
	r, err := ingest.Import(t.Context(), st, []string{path}, ingest.Options{})
	if errs.CodeOf(err) != errs.Invalid || !strings.Contains(errs.First(err).Message, " bytes were skipped, and the rest was read") {
		t.Errorf("got %v", err)
	}
	if r.Check() != nil || r.Conversations.New != 4 || r.Paths[0].Error == "" {
		t.Errorf("receipt %+v", r)
	}
}

// Lines of which one is damaged: the others come in, and the error says where and how much was skipped.
func TestImport_GoesOnBehindDamagedLine(t *testing.T) {
	line := func(word string) string {
		return `{"messages":[{"role":"user","content":"` + word + `?"},{"role":"assistant","content":"` + word + `."}]}`
	}
	st, path := newArchive(t), filepath.Join(t.TempDir(), "chats.jsonl")
	first, damaged := line("one"), line("two")[:60]
	writeFile(t, path, first+"\n"+damaged+"\n"+line("three")+"\n"+line("four")+"\n")
	r, err := ingest.Import(t.Context(), st, []string{path}, ingest.Options{})
	want := fmt.Sprintf("invalid JSON after byte %d; %d bytes were skipped, and the rest was read", len(first), len(damaged)+2)
	if err == nil || !strings.Contains(err.Error(), want) || r.Check() != nil {
		t.Errorf("got %v, want %s", err, want)
	}
	if r.Turns.New != 3 || len(found(t, st, "four")) != 1 {
		t.Errorf("receipt %+v", r)
	}
}

func TestImport_BadConversation(t *testing.T) {
	st := newArchive(t)
	r := importChats(t, st, []any{nil, heron(), map[string]any{"id": "x", "title": "no mapping"}, 7, manyChats(1)[0]})
	if r.Conversations.New != 2 || r.Skipped["conversation: null"] != 1 || r.Skipped["conversation: no mapping"] != 1 {
		t.Errorf("receipt %+v", r)
	}
}

func TestImport_Progress(t *testing.T) {
	var last ingest.Progress
	calls := 0
	r, err := ingest.Import(t.Context(), newArchive(t), []string{writeExport(t, manyChats(200))}, ingest.Options{Progress: func(p ingest.Progress) {
		if p.Done < last.Done || p.Done > p.Total || p.Turns < last.Turns {
			t.Errorf("progress went from %+v to %+v", last, p)
		}
		last = p
		calls++
	}})
	if err != nil || r.Turns.Total != 200 {
		t.Fatal(r, err)
	}
	if last.Done != last.Total || last.Turns != 200 || last.Conversations != 200 || last.Elapsed <= 0 {
		t.Errorf("after %d calls: %+v", calls, last)
	}
}

// failingStore is an archive whose n-th write fails.
type failingStore struct {
	store.Store
	n   int
	err error
}

func (f *failingStore) Update(ctx context.Context, fn func(store.Tx) error) error {
	if f.n--; f.n < 0 {
		return f.err
	}
	return f.Store.Update(ctx, fn)
}

func TestImport_FailedWrite(t *testing.T) {
	full := &errs.Error{Code: errs.Unavailable, Op: "sqlite: update", Message: "the disk is full"}
	st := newArchive(t)
	for n := range 3 {
		chats := manyChats(4)
		for i := range chats {
			chats[i].messages = append(chats[i].messages, user("shared", "The same words everywhere."))
		}
		r, err := ingest.Import(t.Context(), &failingStore{st, n, full}, []string{writeExport(t, chats)}, ingest.Options{BatchBytes: 1})
		if !errors.Is(err, full) {
			t.Fatalf("got %v", err)
		}
		if err := r.Check(); err != nil || r.Conversations.New+r.Conversations.Updated+r.Conversations.Unchanged != n {
			t.Errorf("after %d writes: %+v, %v", n, r, err)
		}
	}
}

func TestImport_Canceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	st := newArchive(t)
	r, err := ingest.Import(ctx, st, []string{writeExport(t, manyChats(10))}, ingest.Options{})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if r.Check() != nil || r.Conversations.New != 0 || exportAll(t, st) != "" {
		t.Errorf("receipt %+v", r)
	}
}
