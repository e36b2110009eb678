package ingest_test

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"lens/internal/errs"
	"lens/internal/testenv"
	"lens/store"
	"lens/store/ingest"
)

// writeFile writes chats, or a text, to a file that was last changed long ago.
func writeFile(t testing.TB, path string, content any) {
	t.Helper()
	raw, isText := content.(string)
	if !isText {
		marshaled, err := json.Marshal(content)
		testenv.Must(t, err)
		raw = string(marshaled)
	}
	testenv.Must(t, os.MkdirAll(filepath.Dir(path), 0o700))
	testenv.Must(t, os.WriteFile(path, []byte(raw), 0o600))
	age(t, path, time.Hour)
}

func age(t testing.TB, path string, by time.Duration) {
	t.Helper()
	at := time.Now().Add(-by).Truncate(time.Second)
	testenv.Must(t, os.Chtimes(path, at, at))
}

// imports imports a path and checks the receipt, and how many files were not read again.
func imports(t testing.TB, st store.Store, path string, unchanged int, opts ingest.Options) *ingest.Receipt {
	t.Helper()
	r, err := ingest.Import(t.Context(), st, []string{path}, opts)
	if err == nil {
		err = r.Check()
	}
	if err != nil {
		t.Fatal(err)
	}
	if r.UnchangedFiles != unchanged {
		t.Errorf("%s: %d files not read again, want %d", filepath.Base(path), r.UnchangedFiles, unchanged)
	}
	return r
}

// heronSaying is the chat of heron with another answer, which is as long.
func heronSaying(word string) chat {
	c := heron()
	c.updated = 1.8e9 + float64(strings.Index("one two six number", word))
	c.messages = slices.Clone(c.messages)
	last := &c.messages[len(c.messages)-1]
	last.text = word + last.text[min(len(word), len(last.text)):]
	return c
}

// TestImport_UnchangedSaysTheSame imports every fixture three times: read, not read again, and read again by another
// version of Lens. The last two receipts must say the same.
func TestImport_UnchangedSaysTheSame(t *testing.T) {
	paths, err := filepath.Glob("source/*/testdata/*")
	if err != nil || len(paths) < 20 {
		t.Fatal(paths, err)
	}
	skipped := 0
	for _, path := range paths {
		st := newArchive(t)
		if _, err := ingest.Import(t.Context(), st, []string{path}, ingest.Options{}); err != nil {
			continue // an answer of a test, or one that is damaged
		}
		known, err := ingest.Import(t.Context(), st, []string{path}, ingest.Options{})
		if err != nil {
			t.Fatal(path, err)
		}
		read, err := ingest.Import(t.Context(), st, []string{path}, ingest.Options{Version: "newer"})
		if err != nil || read.UnchangedFiles != 0 {
			t.Fatal(path, err)
		}
		skipped += known.UnchangedFiles
		if n := known.UnchangedFiles; n != len(known.Files) && known.Files[0].Format != store.Documents {
			t.Errorf("%s: %d of %d files were read again", path, len(known.Files)-n, len(known.Files))
		}
		known.UnchangedFiles, known.Duration, read.Duration = 0, 0, 0
		for i := range known.Files {
			known.Files[i].Unchanged = nil
		}
		if !reflect.DeepEqual(known, read) {
			t.Errorf("%s: not read again %+v\nread %+v", path, known, read)
		}
		if err := known.Check(); err != nil {
			t.Error(path, err)
		}
	}
	if skipped < 20 {
		t.Errorf("%d files were not read again", skipped)
	}
}

func TestImport_NamedFileByContent(t *testing.T) {
	st, path := newArchive(t), filepath.Join(t.TempDir(), "conversations.json")
	writeFile(t, path, []chat{heronSaying("one")})
	imports(t, st, path, 0, ingest.Options{})
	age(t, path, 2*time.Hour)
	r := imports(t, st, path, 1, ingest.Options{})
	if r.Changed() || r.Conversations.Unchanged != 1 || r.Turns.Total != 2 || r.Paths[0].Turns != 2 || r.Files[0].Unchanged == nil {
		t.Errorf("not read again: %+v", r)
	}
	writeFile(t, path, []chat{heronSaying("two")}) // of the same size
	age(t, path, 2*time.Hour)
	if r := imports(t, st, path, 0, ingest.Options{}); r.Conversations.Updated != 1 {
		t.Errorf("changed: %+v", r.Conversations)
	}
	imports(t, st, path, 1, ingest.Options{})
	imports(t, st, path, 0, ingest.Options{Tag: "another option"})
	imports(t, st, path, 0, ingest.Options{Version: "another version", Tag: "another option"})
	imports(t, st, path, 0, ingest.Options{Restore: true})
	dry := imports(t, st, path, 0, ingest.Options{DryRun: true, Tag: "third option"})
	if dry.Changed() {
		t.Errorf("dry run: %+v", dry.Conversations)
	}
	imports(t, st, path, 0, ingest.Options{Tag: "third option"}) // a dry run remembers nothing
}

func TestImport_FoundFileBySizeAndTime(t *testing.T) {
	st, dir := newArchive(t), t.TempDir()
	path := filepath.Join(dir, "conversations.json")
	writeFile(t, path, []chat{heronSaying("one")})
	imports(t, st, dir, 0, ingest.Options{})
	imports(t, st, dir, 1, ingest.Options{})
	age(t, path, 3*time.Hour)
	imports(t, st, dir, 0, ingest.Options{})

	// A file that was written right before it was read may have changed since without another time.
	writeFile(t, path, []chat{heronSaying("two")})
	age(t, path, 0)
	info, err := os.Stat(path)
	testenv.Must(t, err)
	imports(t, st, dir, 0, ingest.Options{})
	imports(t, st, dir, 1, ingest.Options{})
	writeFile(t, path, []chat{heronSaying("six")})
	testenv.Must(t, os.Chtimes(path, info.ModTime(), info.ModTime()))
	if r := imports(t, st, dir, 0, ingest.Options{}); r.Conversations.Updated != 1 {
		t.Errorf("changed without another time: %+v", r.Conversations)
	}
}

func TestImport_ForgottenIsReadAgain(t *testing.T) {
	st, path := newArchive(t), filepath.Join(t.TempDir(), "conversations.json")
	writeFile(t, path, manyChats(3))
	imports(t, st, path, 0, ingest.Options{})
	ids, err := st.ConversationIDs(t.Context(), "")
	testenv.Must(t, err)
	_, err = ingest.Forget(t.Context(), st, ingest.ForgetOptions{Conversations: ids[:1]})
	testenv.Must(t, err)
	for unchanged := range 2 {
		if r := imports(t, st, path, unchanged, ingest.Options{}); r.Forgotten != 1 || r.Conversations.Unchanged != 2 {
			t.Errorf("%d files not read again: %+v", unchanged, r)
		}
	}
	imports(t, st, path, 0, ingest.Options{Restore: true})
	if r := imports(t, st, path, 0, ingest.Options{}); r.Forgotten != 0 || r.Conversations.Unchanged != 3 {
		t.Errorf("restored: %+v", r)
	}
	_, err = ingest.Forget(t.Context(), st, ingest.ForgetOptions{Everything: true})
	testenv.Must(t, err)
	if roots, err := ingest.Followed(t.Context(), st); err != nil || len(roots) != 0 {
		t.Errorf("followed after everything was forgotten: %q, %v", roots, err)
	}
	if r := imports(t, st, path, 0, ingest.Options{}); r.Conversations.New != 3 {
		t.Errorf("after everything was forgotten: %+v", r.Conversations)
	}
}

// forgettingStore forgets everything after an import has committed n times, as another process would.
type forgettingStore struct {
	store.Store
	n int
}

func (f *forgettingStore) Update(ctx context.Context, fn func(store.Tx) error) error {
	if err := f.Store.Update(ctx, fn); err != nil {
		return err
	}
	if f.n--; f.n != 0 {
		return nil
	}
	_, err := ingest.Forget(ctx, f.Store, ingest.ForgetOptions{Everything: true})
	return err
}

func TestImport_ForgottenMeanwhile(t *testing.T) {
	st, path := newArchive(t), filepath.Join(t.TempDir(), "conversations.json")
	writeFile(t, path, manyChats(4))
	imports(t, &forgettingStore{st, 2}, path, 0, ingest.Options{BatchBytes: 1})
	if r := imports(t, st, path, 0, ingest.Options{}); r.Conversations.New != 2 {
		t.Errorf("imported again: %+v", r.Conversations)
	}
}

func TestImport_FailedIsReadAgain(t *testing.T) {
	full := &errs.Error{Code: errs.Unavailable, Op: "sqlite: update", Message: "the disk is full"}
	for n := range 8 {
		st, dir := newArchive(t), t.TempDir()
		want := newArchive(t)
		for i, c := range manyChats(4) {
			writeFile(t, filepath.Join(dir, fmt.Sprint(i), "conversations.json"), []chat{c, heronSaying(fmt.Sprint("number ", i))})
		}
		imports(t, want, dir, 0, ingest.Options{})
		failing := &failingStore{st, n, full}
		_, err := ingest.Import(t.Context(), failing, []string{dir}, ingest.Options{BatchBytes: 1})
		if !errors.Is(err, full) {
			t.Fatalf("%d writes: %v", n, err)
		}
		r, err := ingest.Refresh(t.Context(), st, nil, ingest.Options{})
		if n == 0 {
			if errs.CodeOf(err) != errs.NotFound {
				t.Errorf("refresh of nothing: %v", err)
			}
			continue
		}
		testenv.Must(t, err)
		if r.UnchangedFiles != n/2 || r.UnchangedFiles+1 > len(r.Files) && n < 8 {
			t.Errorf("after %d commits %d of %d files were not read again", n, r.UnchangedFiles, len(r.Files))
		}
		if exportAll(t, st) != exportAll(t, want) {
			t.Errorf("after %d commits and a refresh the archive differs", n)
		}
	}
}

func TestImport_CompanionChanged(t *testing.T) {
	st, dir := newArchive(t), t.TempDir()
	storage := filepath.Join(dir, "storage")
	writeFile(t, filepath.Join(storage, "session/p/ses_1.json"),
		`{"id":"ses_1","projectID":"p","directory":"/w","title":"Herons","version":"1","time":{"created":1700000000000,"updated":1700000001000}}`)
	for i, role := range []string{"user", "assistant"} {
		writeFile(t, filepath.Join(storage, fmt.Sprintf("message/ses_1/msg_%d.json", i)),
			fmt.Sprintf(`{"id":"msg_%d","sessionID":"ses_1","role":%q,"time":{"created":170000000%d000}}`, i, role, i))
		writeFile(t, filepath.Join(storage, fmt.Sprintf("part/msg_%d/prt_1.json", i)),
			fmt.Sprintf(`{"id":"prt_%d","messageID":"msg_%d","sessionID":"ses_1","type":"text","text":"Words of %s."}`, i, i, role))
	}
	imports(t, st, dir, 0, ingest.Options{})
	imports(t, st, dir, 1, ingest.Options{})
	writeFile(t, filepath.Join(storage, "part/msg_1/prt_1.json"),
		`{"id":"prt_1","messageID":"msg_1","sessionID":"ses_1","type":"text","text":"Other words of the assistant."}`)
	imports(t, st, dir, 0, ingest.Options{})
	if !strings.Contains(exportAll(t, st), "Other words") {
		t.Error("the changed part did not come in")
	}
}

func TestImport_EqualNamesInATar(t *testing.T) {
	st, path := newArchive(t), filepath.Join(t.TempDir(), "export.tar")
	var packed bytes.Buffer
	w := tar.NewWriter(&packed)
	for _, c := range manyChats(2) {
		raw, err := json.Marshal([]chat{c})
		testenv.Must(t, err)
		testenv.Must(t, w.WriteHeader(&tar.Header{Name: "conversations.json", Mode: 0o600, Size: int64(len(raw))}))
		_, err = w.Write(raw)
		testenv.Must(t, err)
	}
	testenv.Must(t, w.Close())
	writeFile(t, path, packed.String())
	for range 2 { // nothing tells the two files apart
		if r := imports(t, st, path, 0, ingest.Options{}); len(r.Files) != 2 {
			t.Fatalf("files %+v", r.Files)
		}
	}
}

func TestRefresh(t *testing.T) {
	st, dir := newArchive(t), t.TempDir()
	folder, single, notes := filepath.Join(dir, "folder"), filepath.Join(dir, "one.json"), filepath.Join(dir, "notes")
	writeFile(t, filepath.Join(folder, "a/conversations.json"), []chat{heron()})
	writeFile(t, filepath.Join(folder, "b/conversations.json"), manyChats(2))
	writeFile(t, single, []chat{{id: "single", title: "Single", messages: []chatMessage{user("s1", "A question."), assistant("s2", "Yes.")}}})
	writeFile(t, filepath.Join(notes, "note.md"), "# A note\n\nWith words.\n")
	refresh := func(paths ...string) *ingest.Receipt {
		t.Helper()
		r, err := ingest.Refresh(t.Context(), st, paths, ingest.Options{})
		testenv.Must(t, errors.Join(err, r.Check()))
		return r
	}
	if _, err := ingest.Refresh(t.Context(), st, nil, ingest.Options{}); errs.CodeOf(err) != errs.NotFound {
		t.Errorf("nothing was imported: %v", err)
	}
	for _, path := range []string{folder, single} {
		imports(t, st, path, 0, ingest.Options{})
	}
	imports(t, st, notes, 0, ingest.Options{Tag: "home"})
	runs, err := st.ImportRuns(t.Context(), 100)
	testenv.Must(t, err)
	if r := refresh(); r.Changed() || r.UnchangedFiles != 3 || len(r.Paths) != 3 || r.Conversations.Unchanged != 5 {
		t.Errorf("nothing changed: %+v", r)
	}
	if again, err := st.ImportRuns(t.Context(), 100); err != nil || len(again) != len(runs) {
		t.Errorf("a refresh without changes left %d runs, want %d, %v", len(again), len(runs), err)
	}

	testenv.Must(t, os.RemoveAll(filepath.Join(folder, "b")))
	testenv.Must(t, os.Remove(single))
	writeFile(t, filepath.Join(folder, "c/conversations.json"), []chat{{id: "new", title: "New", messages: []chatMessage{user("n", "New?")}}})
	writeFile(t, filepath.Join(notes, "note.md"), "# A note\n\nWith other words.\n")
	r := refresh()
	gone := []string{filepath.Join(folder, "b/conversations.json")}
	if !slices.Equal(r.Vanished, gone) || !slices.Equal(r.Missing, []string{single}) ||
		r.Conversations != (ingest.Changes{New: 1, Updated: 1, Unchanged: 1}) {
		t.Errorf("after changes: %+v", r)
	}
	if ids, err := st.ConversationIDs(t.Context(), store.ChatGPT); err != nil || len(ids) != 5 {
		t.Errorf("%d chats in the archive, %v", len(ids), err)
	}
	if tags, err := st.Tags(t.Context()); err != nil || !slices.Equal(tags, []string{"home"}) {
		t.Errorf("tags %q, %v", tags, err)
	}
	if r := refresh(folder); len(r.Vanished) != 0 || r.UnchangedFiles != 2 || len(r.Paths) != 1 {
		t.Errorf("one path: %+v", r)
	}
	if _, err := ingest.Refresh(t.Context(), st, []string{single}, ingest.Options{}); errs.CodeOf(err) != errs.NotFound {
		t.Errorf("a path that is gone: %v", err)
	}
	if _, err := ingest.Refresh(t.Context(), st, []string{dir}, ingest.Options{}); errs.CodeOf(err) != errs.NotFound {
		t.Errorf("a path that is not followed: %v", err)
	}
	testenv.Must(t, ingest.Unfollow(t.Context(), st, []string{single}))
	if roots, err := ingest.Followed(t.Context(), st); err != nil || !slices.Equal(roots, []string{folder, notes}) {
		t.Errorf("followed: %q, %v", roots, err)
	}
	_, err = ingest.Forget(t.Context(), st, ingest.ForgetOptions{Source: store.ChatGPT})
	testenv.Must(t, err)
	if roots, err := ingest.Followed(t.Context(), st); err != nil || !slices.Equal(roots, []string{notes}) {
		t.Errorf("followed after a source was forgotten: %q, %v", roots, err)
	}
}

// TestRefresh_AsImportingAgain changes a folder at random, and refreshes one archive where another one reads all files.
func TestRefresh_AsImportingAgain(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		known, read, dir := newArchive(t), newArchive(t), t.TempDir()
		at := func(name string) string { return filepath.Join(dir, name, "conversations.json") }
		names, writes := []string{"a", "b", "c"}, 0
		write := func() {
			var chats []chat
			for _, id := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"x", "y", "z"}), 1, 3, rapid.ID[string]).Draw(rt, "ids") {
				words := rapid.SampledFrom([]string{"one", "two", "six"}).Draw(rt, "words")
				chats = append(chats, chat{
					id: id, title: words, updated: float64(rapid.IntRange(1, 3).Draw(rt, "updated")),
					messages: []chatMessage{user(id+"q", "Question "+words), assistant(id+"a", "Answer "+words)},
				})
			}
			path := at(rapid.SampledFrom(names).Draw(rt, "file"))
			writeFile(t, path, chats)
			if writes++; rapid.Bool().Draw(rt, "just now") {
				age(t, path, 0) // another change may leave this time as it is
			} else {
				age(t, path, time.Duration(writes)*time.Hour)
			}
		}
		write()
		imports(t, known, dir, 0, ingest.Options{})
		imports(t, read, dir, 0, ingest.Options{})
		for step := range rapid.IntRange(1, 6).Draw(rt, "steps") {
			switch rapid.IntRange(0, 4).Draw(rt, "what") {
			case 0, 1:
				write()
			case 2:
				if present, _ := filepath.Glob(at("*")); len(present) > 1 {
					testenv.Must(t, os.Remove(rapid.SampledFrom(present).Draw(rt, "removed")))
				}
			case 3:
				id := testID(rapid.SampledFrom([]string{"x", "y", "z"}).Draw(rt, "forgotten"))
				for _, st := range []store.Store{known, read} {
					_, err := ingest.Forget(t.Context(), st, ingest.ForgetOptions{Conversations: []uuid.UUID{id}})
					if err != nil && errs.CodeOf(err) != errs.NotFound {
						t.Fatal(err)
					}
				}
			case 4:
				failing := &failingStore{known, rapid.IntRange(0, 2).Draw(rt, "writes"), errors.New("the disk is full")}
				_, _ = ingest.Refresh(t.Context(), failing, nil, ingest.Options{BatchBytes: 1})
			}
			_, err := ingest.Refresh(t.Context(), known, nil, ingest.Options{})
			testenv.Must(t, err)
			imports(t, read, dir, 0, ingest.Options{Version: fmt.Sprint(step)})
			if exportAll(t, known) != exportAll(t, read) {
				rt.Fatal("the archives differ")
			}
		}
	})
}
