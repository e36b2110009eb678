package archive

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"lens/cmd/internal/backup"
	"lens/cmd/internal/datadir"
	"lens/internal/demo"
	"lens/internal/errs"
	"lens/internal/testenv"
	"lens/internal/vault/vaulttest"
	"lens/store"
	"lens/store/ingest"
)

// export returns all turns of an archive.
func (a *testArchive) export(t testing.TB) string {
	t.Helper()
	var b bytes.Buffer
	_, err := a.Export(t.Context(), &b, ExportOptions{})
	must(t, err)
	return b.String()
}

// filledIn returns an archive with chats, a bookmark, a saved chat and an audit log.
func filledIn(t testing.TB, dir string) *testArchive {
	t.Helper()
	a := archiveIn(t, dir)
	a.importDemo(t)
	a.writeBeside(t, "before")
	must(t, os.WriteFile(filepath.Join(dir, "audit.jsonl"), []byte("{}\n"), 0o600))
	must(t, os.WriteFile(filepath.Join(dir, "audit.key"), []byte("key"), 0o600))
	return a
}

const chatFile = datadir.ChatsFolder + "/0b8f6e3c-1111-4222-8333-444455556666.json"

// writeBeside writes a bookmark and a saved chat.
func (a *testArchive) writeBeside(t testing.TB, text string) {
	t.Helper()
	h, err := a.folder.Home()
	must(t, err)
	must(t, os.MkdirAll(h.Path(datadir.ChatsFolder), 0o700))
	for _, name := range []string{datadir.StateFile, filepath.FromSlash(chatFile)} {
		must(t, h.Save(name, text))
	}
	chats, err := h.OpenSessions(t.Context(), datadir.SessionsFile, true)
	must(t, err)
	must(t, chats.Update(t.Context(), func(tx store.SessionsTx) error {
		return tx.Put(t.Context(), store.Session{ID: uuid.Max, Content: []byte(text)})
	}))
	must(t, chats.Close())
}

// wantBeside checks the bookmark and the saved chat.
func (a *testArchive) wantBeside(t testing.TB, text string) {
	t.Helper()
	for _, name := range []string{datadir.StateFile, filepath.FromSlash(chatFile)} {
		var got string
		if !(datadir.File{Folder: a.folder, Name: name}).Load(&got) || got != text {
			t.Errorf("%s: got %q, want %q", name, got, text)
		}
	}
	if got := a.savedChat(t); got != text {
		t.Errorf("saved chats: got %q, want %q", got, text)
	}
}

// savedChat returns the content of the saved chat.
func (a *testArchive) savedChat(t testing.TB) string {
	t.Helper()
	h, err := a.folder.Home()
	must(t, err)
	chats, err := h.OpenSessions(t.Context(), datadir.SessionsFile, false)
	must(t, err)
	kept, err := chats.Session(t.Context(), uuid.Max)
	must(t, errors.Join(err, chats.Close()))
	return string(kept.Content)
}

func TestBackup_RestoresEverything(t *testing.T) {
	for _, sealed := range []bool{false, true} {
		a := filledIn(t, t.TempDir())
		want := a.export(t)
		if sealed {
			a.encrypt(t)
		}
		path := filepath.Join(t.TempDir(), "b.tar")
		b, err := a.Backup(t.Context(), path, false)
		must(t, err)
		if b.Encrypted != sealed || b.Holds.Turns == 0 || b.Bytes == 0 || !b.Chats {
			t.Errorf("got %+v", b)
		}
		entries, err := os.ReadDir(filepath.Dir(path))
		must(t, err)
		if len(entries) != 1 {
			t.Errorf("left beside the backup: %v", entries)
		}
		if content, err := os.ReadFile(path); err != nil || bytes.Contains(content, []byte("SQLite format")) == sealed {
			t.Errorf("sealed %v: it is not as the archive, %v", sealed, err)
		}
		dir := filepath.Join(t.TempDir(), "new", "lens")
		r := archiveIn(t, dir)
		r.keys.OnSecret(func() (string, error) { return vaulttest.Passphrase, nil })
		restored, err := r.Restore(t.Context(), path, false)
		must(t, err)
		if restored.Holds != b.Holds || r.export(t) != want || r.keys.Encrypted() != sealed {
			t.Errorf("sealed %v: got %+v", sealed, restored)
		}
		r.wantBeside(t, "before")
		for _, name := range []string{"audit.jsonl", "audit.key"} {
			if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
				t.Errorf("sealed %v: %v", sealed, err)
			}
		}
		for _, c := range r.folder.Check(t.Context()) {
			if c.Hint != "" {
				t.Errorf("sealed %v: %+v", sealed, c)
			}
		}
	}
}

// committing runs after after each commit of an archive, before the next one.
type committing struct {
	store.Store
	after func()
}

func (c committing) Update(ctx context.Context, fn func(store.Tx) error) error {
	err := c.Store.Update(ctx, fn)
	c.after()
	return err
}

// TestBackup_DuringImport takes backups while an import commits. Each one is the archive as of one of the commits.
func TestBackup_DuringImport(t *testing.T) {
	for _, sealed := range []bool{false, true} {
		a := filledIn(t, t.TempDir())
		if sealed {
			a.encrypt(t)
		}
		st, err := a.Writing(t.Context())
		must(t, err)
		commits := map[[32]byte]int{sha256.Sum256([]byte(a.export(t))): 0}
		var importing sync.WaitGroup
		importing.Go(func() {
			export := testenv.Demo(t, demo.Options{Turns: 300, Seed: 10})
			record := committing{st, func() { commits[sha256.Sum256([]byte(a.export(t)))] = len(commits) }}
			many := ingest.Options{BatchBytes: 32 << 10} // transactions
			if _, err := ingest.Import(t.Context(), record, []string{export}, many); err != nil {
				t.Error(err)
			}
		})
		var paths []string
		dir := t.TempDir()
		for n := range 5 {
			paths = append(paths, filepath.Join(dir, string(rune('a'+n))))
			_, err := a.Backup(t.Context(), paths[n], false)
			must(t, err)
		}
		importing.Wait()
		seen := map[int]bool{}
		for _, path := range paths {
			r := archiveIn(t, t.TempDir())
			r.keys.OnSecret(func() (string, error) { return vaulttest.Passphrase, nil })
			_, err := r.Restore(t.Context(), path, false)
			must(t, err)
			n, ok := commits[sha256.Sum256([]byte(r.export(t)))]
			if !ok {
				t.Errorf("sealed %v: %s is not the archive as of a commit", sealed, path)
			}
			seen[n] = true
		}
		if len(commits) < 5 || len(seen) < 2 {
			t.Errorf("sealed %v: %d backups of %d commits: nothing was written meanwhile", sealed, len(seen), len(commits))
		}
		t.Logf("sealed %v: backups of %d out of %d commits", sealed, len(seen), len(commits))
	}
}

func TestBackup_Refusals(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "b.tar")
	if _, err := archiveIn(t, t.TempDir()).Backup(t.Context(), path, false); errs.CodeOf(err) != errs.NotFound {
		t.Errorf("no archive: %v", err)
	}
	a := filledIn(t, t.TempDir())
	must(t, os.WriteFile(path, []byte("mine"), 0o600))
	if _, err := a.Backup(t.Context(), path, false); errs.CodeOf(err) != errs.Invalid {
		t.Errorf("a file: %v", err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "mine" {
		t.Errorf("the file became %q, %v", text, err)
	}
	if _, err := a.Backup(t.Context(), dir, true); errs.CodeOf(err) != errs.Invalid {
		t.Errorf("a folder: %v", err)
	}
	if _, err := a.Backup(t.Context(), filepath.Join(dir, "none", "b"), false); errs.CodeOf(err) != errs.Unavailable {
		t.Errorf("no folder: %v", err)
	}
	own := filepath.Join(dir, "c.tar.partial")
	must(t, os.Mkdir(own, 0o700))
	must(t, os.WriteFile(filepath.Join(own, "note"), nil, 0o600))
	if _, err := a.Backup(t.Context(), filepath.Join(dir, "c.tar"), false); errs.CodeOf(err) != errs.Unavailable {
		t.Errorf("a folder of the user's in the way: %v", err)
	}
	if _, err := os.Stat(filepath.Join(own, "note")); err != nil {
		t.Error(err)
	}
	archive := filepath.Join(a.opts.DataDir, datadir.ArchiveFile)
	for _, other := range []string{path, archive} {
		if _, err := a.Backup(t.Context(), other, true); errs.CodeOf(err) != errs.Invalid {
			t.Errorf("a file that is not a backup: %v", err)
		}
	}
	must(t, os.Remove(path))
	_, err := a.Backup(t.Context(), path, false)
	must(t, err)
	_, err = a.Backup(t.Context(), path, true)
	must(t, err)
	_, err = backup.Read(t.Context(), path, nil)
	must(t, err)
	a.encrypt(t)
	must(t, a.keys.Lock())
	if _, err := a.Backup(t.Context(), filepath.Join(dir, "d"), false); errs.CodeOf(err) != errs.Locked {
		t.Errorf("locked: %v", err)
	}
}

func TestBackup_NoRoom(t *testing.T) {
	err := snapshotter{bytes: 1 << 60}.needRoom(t.TempDir())
	if errs.CodeOf(err) != errs.Unavailable || !strings.Contains(err.Error(), "a backup needs 2305843009214 MB") {
		t.Errorf("got %v", err)
	}
}

// A killed process may have left anything there.
func TestBackup_RemovesWhatAnEarlierOneLeft(t *testing.T) {
	a := filledIn(t, t.TempDir())
	path := filepath.Join(t.TempDir(), "b.tar")
	work, err := newWorkFolder("backup", path+".partial")
	must(t, err)
	must(t, os.WriteFile(work.path("lens.db"), []byte("half"), 0o600))
	if _, err := a.Backup(t.Context(), path, false); errs.CodeOf(err) != errs.Unavailable {
		t.Errorf("while another one is being written: %v", err)
	}
	must(t, work.lock.Close())
	_, err = a.Backup(t.Context(), path, false)
	must(t, err)
	if _, err := os.Stat(path + ".partial"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
}

func TestRestore_Refusals(t *testing.T) {
	a := filledIn(t, t.TempDir())
	want := a.export(t)
	dir := t.TempDir()
	path, sealed := filepath.Join(dir, "b.tar"), filepath.Join(dir, "s.tar")
	_, err := a.Backup(t.Context(), path, false)
	must(t, err)
	whole, err := os.ReadFile(path)
	must(t, err)
	other := archiveIn(t, t.TempDir())
	other.importDemo(t)
	other.encrypt(t)
	_, err = other.Backup(t.Context(), sealed, false)
	must(t, err)
	for name, content := range map[string][]byte{
		"cut": whole[:len(whole)/2], "foreign": []byte("{}"), "changed": bytes.Replace(whole, []byte("SQLite format"), []byte("SQLite Format"), 1),
	} {
		must(t, os.WriteFile(filepath.Join(dir, name), content, 0o600))
	}
	for name, c := range map[string]struct {
		file    string
		replace bool
		want    errs.Code
	}{
		"occupied":     {path, false, errs.Invalid},
		"cut":          {filepath.Join(dir, "cut"), true, errs.Invalid},
		"foreign":      {filepath.Join(dir, "foreign"), true, errs.Invalid},
		"changed":      {filepath.Join(dir, "changed"), true, errs.Invalid},
		"without PIN":  {sealed, true, errs.Locked},
		"no such file": {filepath.Join(dir, "none"), true, errs.Unavailable},
	} {
		_, err := a.Restore(t.Context(), c.file, c.replace)
		if errs.CodeOf(err) != c.want || errs.First(err).Hint == "" {
			t.Errorf("%s: %v", name, err)
		}
		if a.export(t) != want {
			t.Errorf("%s: the archive is another one", name)
		}
		a.wantBeside(t, "before")
		if _, err := os.Stat(filepath.Join(a.opts.DataDir, "lens.restoring")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: left %v", name, err)
		}
	}
	a.keys.OnSecret(func() (string, error) { return vaulttest.OtherPassphrase, nil })
	if _, err := a.Restore(t.Context(), sealed, true); errs.CodeOf(err) != errs.Locked || a.export(t) != want {
		t.Errorf("with another PIN: %v", err)
	}
	reader := archiveIn(t, a.opts.DataDir)
	_, err = reader.Reading(t.Context())
	must(t, err)
	if _, err := a.Restore(t.Context(), path, true); errs.CodeOf(err) != errs.Unavailable {
		t.Errorf("open elsewhere: %v", err)
	}
}

// TestRestore_Replaces replaces an archive by another one, whichever is encrypted, and keeps the user's own files.
func TestRestore_Replaces(t *testing.T) {
	for _, c := range []struct{ from, to bool }{{false, false}, {false, true}, {true, false}, {true, true}} {
		source := archiveIn(t, t.TempDir())
		export := testenv.Demo(t, demo.Options{Turns: 30, Seed: 5})
		_, err := source.Import(t.Context(), []string{export}, ImportOptions{})
		must(t, err)
		source.writeBeside(t, "restored")
		want := source.export(t)
		if c.to {
			source.encrypt(t)
		}
		path := filepath.Join(t.TempDir(), "b.tar")
		_, err = source.Backup(t.Context(), path, false)
		must(t, err)
		dir := t.TempDir()
		a := filledIn(t, dir)
		if c.from {
			a.encrypt(t)
		}
		own := []string{"chats/notes.md", "sealed-9/lens.db", "notes", "lens.db.mine", "chats-0123456789abcdef/x.json"}
		for _, name := range own {
			must(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700))
			must(t, os.WriteFile(filepath.Join(dir, name), []byte("mine"), 0o600))
		}
		must(t, os.WriteFile(filepath.Join(dir, "audit.jsonl"), []byte("decided\n"), 0o600))
		a.keys.OnSecret(func() (string, error) { return vaulttest.Passphrase, nil })
		_, err = a.Restore(t.Context(), path, true)
		must(t, err)
		if a.export(t) != want || a.keys.Encrypted() != c.to {
			t.Errorf("%+v: it is not the archive of the backup", c)
		}
		a.wantBeside(t, "restored")
		for _, name := range own {
			if text, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(text) != "mine" {
				t.Errorf("%+v: %s: %q, %v", c, name, text, err)
			}
		}
		if text, _ := os.ReadFile(filepath.Join(dir, "audit.jsonl")); string(text) != "decided\n" {
			t.Errorf("%+v: the audit log became %q", c, text)
		}
		left, err := filepath.Glob(filepath.Join(dir, "sealed-1*"))
		must(t, err)
		if _, err := os.Stat(filepath.Join(dir, "lens.restoring")); err == nil || len(left) > 0 != c.to {
			t.Errorf("%+v: left %v, %v", c, left, err)
		}
	}
}
