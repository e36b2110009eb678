package ingest_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"lens/internal/errs"
	"lens/internal/testenv"
	"lens/store"
	"lens/store/ingest"
)

// TestRefresh_ForgottenDocuments: documents that were forgotten do not come back, however that was done. A folder with
// nothing but a forgotten source is not followed: its new files would come.
func TestRefresh_ForgottenDocuments(t *testing.T) {
	for name, forget := range map[string]func(st store.Store) ingest.ForgetOptions{
		"as a source": func(store.Store) ingest.ForgetOptions { return ingest.ForgetOptions{Source: store.Documents} },
		"each document": func(st store.Store) ingest.ForgetOptions {
			ids, err := st.ConversationIDs(t.Context(), store.Documents)
			testenv.Must(t, err)
			return ingest.ForgetOptions{Conversations: ids}
		},
		"everything": func(store.Store) ingest.ForgetOptions { return ingest.ForgetOptions{Everything: true} },
	} {
		t.Run(name, func(t *testing.T) {
			st, dir := newArchive(t), t.TempDir()
			notes, chats := filepath.Join(dir, "notes"), filepath.Join(dir, "conversations.json")
			writeFile(t, filepath.Join(notes, "one.md"), "# One\n\nWith words.\n")
			writeFile(t, filepath.Join(notes, "two.md"), "# Two\n\nWith words.\n")
			writeFile(t, chats, []chat{heron()})
			imports(t, st, notes, 0, ingest.Options{})
			imports(t, st, chats, 0, ingest.Options{})
			_, err := ingest.Forget(t.Context(), st, ingest.ForgetOptions{Conversations: []uuid.UUID{testID("heron")}})
			testenv.Must(t, err) // so that nothing is known of the files
			_, err = ingest.Forget(t.Context(), st, forget(st))
			testenv.Must(t, err)
			imports(t, st, chats, 0, ingest.Options{})
			writeFile(t, filepath.Join(notes, "three.md"), "# Three\n\nWith words.\n")
			want := 1 // the new one
			if name == "each document" {
				want = 2
			}
			if roots, err := ingest.Followed(t.Context(), st); err != nil || len(roots) != want {
				t.Errorf("followed: %q, %v", roots, err)
			}
			_, err = ingest.Refresh(t.Context(), st, nil, ingest.Options{})
			testenv.Must(t, err)
			ids, err := st.ConversationIDs(t.Context(), store.Documents)
			testenv.Must(t, err)
			if len(ids) != want-1 {
				t.Errorf("%d documents after a refresh, want %d", len(ids), want-1)
			}
		})
	}
}

// Documents are compared by content: one that another replaced, with an equal time or an older one, is read.
func TestRefresh_DocumentsByContent(t *testing.T) {
	st, dir := newArchive(t), t.TempDir()
	path := filepath.Join(dir, "note.md")
	writeFile(t, path, "# A note\n\nWith seven words.\n")
	at := time.Now().Add(-time.Hour).Truncate(time.Second)
	testenv.Must(t, os.Chtimes(path, at, at))
	imports(t, st, dir, 0, ingest.Options{})
	for i, text := range []string{"# A note\n\nWith eight words.\n", "# A note\n\nWith three words.\n"} {
		testenv.Must(t, os.WriteFile(path, []byte(text), 0o600))
		then := at.Add(time.Duration(-i) * 24 * time.Hour)
		testenv.Must(t, os.Chtimes(path, then, then))
		r, err := ingest.Refresh(t.Context(), st, nil, ingest.Options{})
		testenv.Must(t, err)
		if got := texts(t, st, store.Filter{}); r.Conversations.Updated != 1 || !strings.HasSuffix(got, text[10:len(text)-1]) {
			t.Errorf("change %d: %+v, text %q", i, r.Conversations, got)
		}
		if r, err = ingest.Refresh(t.Context(), st, nil, ingest.Options{}); err != nil || r.Changed() {
			t.Errorf("no change after %d: %+v, %v", i, r.Conversations, err)
		}
	}
}

// A file that is followed by its own path and by that of its folder is read and counted once, and so is an error of it:
// also if the folder was imported with another option.
func TestRefresh_FileAndItsFolder(t *testing.T) {
	for name, opts := range map[string]ingest.Options{"same options": {}, "other options": {Tools: true}} {
		t.Run(name, func(t *testing.T) {
			st, dir := newArchive(t), t.TempDir()
			whole, cut := filepath.Join(dir, "chats/conversations.json"), filepath.Join(dir, "chats/cut.json")
			writeFile(t, whole, manyChats(2))
			raw := asJSON(t, []chat{heron(), {id: "two", title: "Two", messages: []chatMessage{user("q", "Q?"), assistant("a", "A.")}}})
			writeFile(t, cut, raw[:len(raw)-20])
			for _, path := range []string{filepath.Join(dir, "chats"), cut} {
				_, err := ingest.Import(t.Context(), st, []string{path}, opts)
				if err == nil {
					t.Fatal("no error")
				}
				opts = ingest.Options{}
			}
			for range 2 {
				r, err := ingest.Refresh(t.Context(), st, nil, ingest.Options{})
				testenv.Must(t, r.Check())
				if name == "same options" && len(r.Files) != 2 || r.Conversations.Unchanged != 3 || r.Messages.Unchanged+r.Messages.New != 8 {
					t.Errorf("%d files, %+v, %+v", len(r.Files), r.Conversations, r.Messages)
				}
				failures := errs.Describe(err)
				if len(failures) != 1 || !strings.Contains(failures[0].Hint, "move it out of the folder") {
					t.Errorf("errors %+v", failures)
				}
			}
			roots, err := ingest.Followed(t.Context(), st)
			if testenv.Must(t, err); len(roots) != 2 {
				t.Errorf("followed: %q", roots)
			}
			testenv.Must(t, ingest.Unfollow(t.Context(), st, roots[:1]))
			_, err = ingest.Refresh(t.Context(), st, nil, ingest.Options{})
			if f := errs.First(err); !strings.Contains(f.Hint, "run lens refresh --unfollow "+cut) {
				t.Errorf("the file alone: %+v", f)
			}
		})
	}
}

// Documents, too; and a path that the import is given for the first time is followed from then on.
func TestImport_DocumentAndItsFolder(t *testing.T) {
	st, dir := newArchive(t), t.TempDir()
	note := filepath.Join(dir, "note.md")
	writeFile(t, note, "# A note\n\nWith words.\n")
	writeFile(t, filepath.Join(dir, "other.md"), "# Another\n\nWith words.\n")
	r, err := ingest.Import(t.Context(), st, []string{note, dir}, ingest.Options{})
	testenv.Must(t, errors.Join(err, r.Check()))
	if len(r.Files) != 1 || r.Conversations.New != 2 || !r.Paths[0].Covered || r.Paths[1].Covered {
		t.Errorf("%+v", r)
	}
	if roots, err := ingest.Followed(t.Context(), st); err != nil || len(roots) != 2 {
		t.Errorf("followed: %q, %v", roots, err)
	}
	_, err = ingest.Forget(t.Context(), st, ingest.ForgetOptions{Source: store.Documents})
	testenv.Must(t, err)
	if roots, err := ingest.Followed(t.Context(), st); err != nil || len(roots) != 0 {
		t.Errorf("followed after a source was forgotten: %q, %v", roots, err)
	}
}

// Nothing can be moved out of a folder that is empty.
func TestRefresh_EmptiedFolder(t *testing.T) {
	st, dir := newArchive(t), t.TempDir()
	chats := filepath.Join(dir, "old chats")
	file := filepath.Join(chats, "conversations.json")
	writeFile(t, file, manyChats(1))
	_, err := ingest.Import(t.Context(), st, []string{chats}, ingest.Options{})
	testenv.Must(t, err)
	testenv.Must(t, os.Remove(file))
	_, err = ingest.Refresh(t.Context(), st, nil, ingest.Options{})
	if f := errs.First(err); !strings.HasSuffix(f.Hint, "run lens refresh --unfollow '"+chats+"'") {
		t.Errorf("%+v", f)
	}
}

// So it is with a folder whose file has lost what it had.
func TestRefresh_FolderWithNothingToImport(t *testing.T) {
	st, dir := newArchive(t), t.TempDir()
	chats := filepath.Join(dir, "chats")
	file := filepath.Join(chats, "conversations.json")
	writeFile(t, file, manyChats(1))
	imports(t, st, chats, 0, ingest.Options{})
	writeFile(t, file, asJSON(t, []any{silent()}))
	_, err := ingest.Refresh(t.Context(), st, nil, ingest.Options{})
	if f := errs.First(err); !strings.HasSuffix(f.Hint, "run lens refresh --unfollow "+chats) {
		t.Errorf("%+v", f)
	}
}

// What is not followed is counted once, too.
func TestImport_OnceFileAndItsFolder(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "conversations.json")
	writeFile(t, file, manyChats(2))
	r, err := ingest.Import(t.Context(), newArchive(t), []string{file, dir}, ingest.Options{Once: true})
	testenv.Must(t, errors.Join(err, r.Check()))
	if len(r.Files) != 1 || !r.Paths[0].Covered || r.Paths[1].Covered {
		t.Errorf("%d files, %+v", len(r.Files), r.Paths)
	}
}
