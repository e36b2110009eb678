package datadir

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lens/cmd/internal/backup"
	"lens/internal/demo"
	"lens/internal/errs"
	"lens/internal/testenv"
	"lens/store/ingest"
	"lens/store/sqlite"
)

// backup writes a backup of the archive and returns its path.
func (a *archive) backup() string {
	t := a.t
	t.Helper()
	st, err := a.open()
	must(t, err)
	h, err := a.folder.Home()
	must(t, err)
	staged := t.TempDir()
	must(t, st.(*sqlite.Store).Snapshot(t.Context(), staged))
	parts, err := h.CopyBeside(t.Context(), staged, StateFile)
	must(t, err)
	key, err := a.folder.CopyVault(staged)
	must(t, err)
	head := backup.Head{Encrypted: len(key) > 0}
	held := h.Options()
	held.Dir = staged
	head.Holds, err = sqlite.Verify(t.Context(), held)
	must(t, err)
	parts = append(append(parts, key...), backup.Part{Name: ArchiveFile, Path: filepath.Join(staged, ArchiveFile)})
	path := filepath.Join(t.TempDir(), "b.tar")
	file, err := os.Create(path)
	must(t, err)
	must(t, backup.Write(t.Context(), file, head, parts))
	must(t, file.Close())
	return path
}

// unpackedBackup unpacks a backup of the archive into dir, and returns the names of its files and the epoch of its key.
func (a *archive) unpackedBackup(dir string) (names []string, epoch int) {
	t := a.t
	t.Helper()
	_, names, err := backup.Unpack(t.Context(), a.backup(), dir)
	must(t, err)
	if v, err := a.keys.Vault(); err == nil {
		epoch = v.Epoch()
	}
	return names, epoch
}

// interrupted leaves the data folder as a process does that is killed after so many renames. It returns false if there
// are fewer.
func interrupted(t *testing.T, dir string, p plan, renames int) bool {
	t.Helper()
	root := filepath.Join(dir, restoringName)
	must(t, p.save(dir))
	for _, name := range p.Aside {
		if renames--; renames < 0 {
			return true
		}
		must(t, rename(filepath.Join(dir, name), filepath.Join(root, "old", name)))
	}
	p.Step = place
	if renames--; renames < 0 {
		return true // before the next step was saved
	}
	must(t, p.save(dir))
	for _, name := range p.Place {
		if renames--; renames < 0 {
			return true
		}
		must(t, rename(filepath.Join(root, "new", unplaced(name)), filepath.Join(dir, name)))
	}
	p.Step = clean
	if renames--; renames < 0 {
		return true
	}
	must(t, p.save(dir))
	return false
}

// TestRestore_EveryStateIsSettled creates each state that a restore passes through after its commit.
func TestRestore_EveryStateIsSettled(t *testing.T) {
	source := archiveIn(t, t.TempDir())
	source.fill()
	more := testenv.DemoWith(t, demo.Options{Turns: 20, Seed: 3}, canary)
	st, err := source.open()
	must(t, err)
	_, err = ingest.Import(t.Context(), st, []string{more}, ingest.Options{})
	must(t, err)
	want, err := source.contents()
	must(t, err)
	must(t, source.mover.Encrypt(t.Context(), alone(otherPhrase)))
	for renames, more := 0, true; more; renames++ {
		dir := t.TempDir()
		old := archiveIn(t, dir)
		old.fill()
		must(t, old.mover.Encrypt(t.Context(), alone(onePhrase)))
		names, epoch := source.unpackedBackup(filepath.Join(dir, restoringName, "new"))
		old.quit()
		p, err := old.folder.newPlan(names, epoch)
		must(t, err)
		more = interrupted(t, dir, p, renames)
		a := archiveIn(t, dir)
		must(t, a.folder.Settle())
		if err := a.keys.Unlock(otherPhrase); err != nil {
			t.Fatalf("after %d renames: %v", renames, err)
		}
		if got, err := a.contents(); err != nil || got != want {
			t.Errorf("after %d renames: got %d bytes, want %d; %v", renames, len(got), len(want), err)
		}
		if left := a.folder.leftover(); left != "" || !missing(filepath.Join(dir, restoringName)) {
			t.Errorf("after %d renames: %s", renames, left)
		}
		a.quit()
	}
}

// A restore that was not committed leaves the old archive.
func TestRestore_UncommittedIsRemoved(t *testing.T) {
	dir := t.TempDir()
	a := archiveIn(t, dir)
	a.fill()
	want, err := a.contents()
	must(t, err)
	a.quit()
	half := filepath.Join(dir, restoringName, "new", ArchiveFile)
	must(t, os.MkdirAll(filepath.Dir(half), 0o700))
	must(t, os.WriteFile(half, []byte("half"), 0o600))
	a = archiveIn(t, dir)
	if got, err := a.contents(); err != nil || got != want || !missing(filepath.Join(dir, restoringName)) {
		t.Errorf("got %d bytes, want %d; %v", len(got), len(want), err)
	}
}

// After its commit a restore says that it is not complete, or it is complete.
func TestRestore_FailureAfterTheCommit(t *testing.T) {
	source := archiveIn(t, t.TempDir())
	source.fill()
	st, err := source.open()
	must(t, err)
	more := testenv.DemoWith(t, demo.Options{Turns: 20, Seed: 3}, canary)
	_, err = ingest.Import(t.Context(), st, []string{more}, ingest.Options{})
	must(t, err)
	want, err := source.contents()
	must(t, err)
	file := source.backup()
	dir := t.TempDir()
	a := archiveIn(t, dir)
	a.fill()
	obstacle := filepath.Join(dir, restoringName, "old")
	a.mover.committed = func() { must(t, os.WriteFile(obstacle, nil, 0o600)) } // where a folder must be
	_, err = a.mover.Restore(t.Context(), file, true)
	said := errs.First(err)
	if said.Code != errs.Unavailable || strings.Contains(said.Message+said.Hint, "nothing was changed") ||
		!strings.Contains(said.Message, "partly") || !strings.Contains(said.Hint, "completes") {
		t.Errorf("got %+v", said)
	}
	must(t, os.Remove(obstacle))
	if got, err := a.contents(); err != nil || got != want || !missing(filepath.Join(dir, restoringName)) {
		t.Errorf("the next process has %d bytes, want %d; %v", len(got), len(want), err)
	}
}

// Where only clearing up failed, the backup is in its place.
func TestIncomplete_SaysHowFarItCame(t *testing.T) {
	for left, says := range map[step]string{
		aside: "only partly in its place", place: "only partly in its place", clean: "the backup is in its place, but what",
		"": "the backup is in its place, but what",
	} {
		dir := t.TempDir()
		if left != "" {
			must(t, os.Mkdir(filepath.Join(dir, restoringName), 0o700))
			must(t, plan{Step: left, Place: []string{ArchiveFile}}.save(dir))
		}
		cause := errors.New("no permission")
		err := incomplete(dir, cause)
		said := errs.First(err)
		if !strings.Contains(said.Message, says) || !strings.Contains(said.Hint, "completes") || !errors.Is(err, cause) {
			t.Errorf("%q is left: got %+v", left, said)
		}
	}
}

func TestLoadPlan_Malformed(t *testing.T) {
	dir := t.TempDir()
	must(t, os.Mkdir(filepath.Join(dir, restoringName), 0o700))
	for _, text := range []string{
		"", "{}", `{"step":"later"}`, `{"step":"aside","aside":["../lens.db"]}`, `{"step":"aside","aside":["notes.md"]}`,
		`{"step":"place","place":["/etc/passwd"]}`, `{"step":"place","place":["sealed-1/notes.md"]}`,
	} {
		must(t, os.WriteFile(planPath(dir), []byte(text), 0o600))
		if _, err := loadPlan(dir); err == nil {
			t.Errorf("%q is accepted", text)
		}
		a := archiveIn(t, dir)
		if _, err := a.open(); err == nil {
			t.Errorf("%q: the folder opens", text)
		}
		a.quit()
		if missing(planPath(dir)) {
			t.Fatalf("%q is gone", text)
		}
	}
}

func FuzzLoadPlan(f *testing.F) {
	f.Add([]byte(`{"step":"aside","aside":["lens.db","chats/a.json"],"place":["sealed-2/lens.db","lens.vault"]}`))
	f.Add([]byte(`{"step":"clean","aside":["chats/../../a.json"]}`))
	dir := f.TempDir()
	must(f, os.Mkdir(filepath.Join(dir, restoringName), 0o700))
	f.Fuzz(func(t *testing.T, text []byte) {
		must(t, os.WriteFile(planPath(dir), text, 0o600))
		p, err := loadPlan(dir)
		if err != nil {
			return
		}
		for _, name := range append(p.Aside, p.Place...) {
			if !filepath.IsLocal(filepath.FromSlash(name)) || !isOurs(name) {
				t.Errorf("%q is accepted", name)
			}
		}
	})
}
