package archive

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lens/cmd/internal/datadir"
	"lens/cmd/internal/keys"
	"lens/cmd/internal/network"
	"lens/internal/errs"
	"lens/internal/vault/vaulttest"
	"lens/store"
	"lens/store/postgres/pgtest"
	"lens/store/transfer"
)

// onServer returns an archive on a database server, whose bookmarks and chats are in dir.
func onServer(t testing.TB, url, dir string) *testArchive {
	t.Helper()
	holder := keys.New(keys.Options{Dir: dir, Remote: true, Vault: vaulttest.Options()})
	holder.OnSecret(func() (string, error) { return vaulttest.Passphrase, nil })
	folder := datadir.New(holder)
	a := &testArchive{New(Options{DataDir: dir, DatabaseURL: url, Verb: "test"}, holder, folder), holder, folder}
	t.Cleanup(func() {
		must(t, a.Close())
		folder.Close()
	})
	return a
}

// wantServerBeside checks the bookmark and the saved chat of an archive on a server.
func (a *testArchive) wantServerBeside(t testing.TB, text string) {
	t.Helper()
	chats, err := filepath.Glob(filepath.Join(a.opts.DataDir, "chats-*", "*.json"))
	must(t, err)
	var got string
	if !a.StateFile().Load(&got) || got != text || len(chats) != 1 {
		t.Errorf("the bookmark is %q, want %q; chats %v", got, text, chats)
	}
	if content, err := os.ReadFile(chats[0]); err != nil || !bytes.Contains(content, []byte(text)) {
		t.Errorf("the chat is %q, %v", content, err)
	}
}

// TestCopy_ToServerAndBack copies an archive from SQLite to Postgres, to another Postgres and back.
func TestCopy_ToServerAndBack(t *testing.T) {
	for _, sealed := range []bool{false, true} {
		dir := t.TempDir()
		first := filledIn(t, dir)
		want := first.export(t)
		if sealed {
			first.encrypt(t)
		}
		one := onServer(t, pgtest.Schema(t), dir)
		copied, err := first.Copy(t.Context(), one.Archive)
		must(t, err)
		if copied.Turns == 0 || one.export(t) != want {
			t.Errorf("to Postgres: %+v", copied)
		}
		one.wantServerBeside(t, "before")
		file := filepath.Join(t.TempDir(), "b.tar")
		written, err := one.Backup(t.Context(), file, false)
		must(t, err)
		restored := archiveIn(t, filepath.Join(t.TempDir(), "restored"))
		if _, err := restored.Restore(t.Context(), file, false); err != nil || written.Encrypted || restored.export(t) != want {
			t.Errorf("backed up beside another archive, sealed: %v: %+v, restored: %v", sealed, written, err)
		}
		two := onServer(t, pgtest.Schema(t), t.TempDir())
		_, err = one.Copy(t.Context(), two.Archive)
		must(t, err)
		if two.export(t) != want {
			t.Error("to another Postgres: the export differs")
		}
		two.wantServerBeside(t, "before")
		back := archiveIn(t, filepath.Join(t.TempDir(), "back"))
		_, err = two.Copy(t.Context(), back.Archive)
		must(t, err)
		if back.export(t) != want || back.keys.Encrypted() {
			t.Error("back to SQLite: the export differs")
		}
		back.wantBeside(t, "before")
		for _, at := range []string{dir, two.opts.DataDir, back.opts.DataDir} {
			if _, err := os.Stat(filepath.Join(at, copyingName)); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("left in %s: %v", at, err)
			}
		}
	}
}

// From a server and to one, every way reports its progress.
func TestCopy_Progress(t *testing.T) {
	a, dir := filledIn(t, t.TempDir()), t.TempDir()
	server, second := onServer(t, pgtest.Schema(t), t.TempDir()), onServer(t, pgtest.Schema(t), t.TempDir())
	path := filepath.Join(t.TempDir(), "b.tar")
	for _, step := range []struct {
		name string
		on   *Archive
		do   func() error
	}{
		{"to a server", a.Archive, func() error { _, err := a.Copy(t.Context(), server.Archive); return err }},
		{"to a folder", server.Archive, func() error { _, err := server.Copy(t.Context(), archiveIn(t, dir).Archive); return err }},
		{"backup", server.Archive, func() error { _, err := server.Backup(t.Context(), path, false); return err }},
		{"restore", second.Archive, func() error { _, err := second.Restore(t.Context(), path, false); return err }},
	} {
		var last Progress
		step.on.Progress = func(p Progress) {
			if p.Done < last.Done { // a conversation may have no turn
				t.Errorf("%s: %d after %d", step.name, p.Done, last.Done)
			}
			last = p
		}
		must(t, step.do())
		if last.Total == 0 || last.Done != last.Total {
			t.Errorf("%s: ended with %+v", step.name, last)
		}
	}
}

// The explorer's state that an archive on a server already has is replaced, which is said.
func TestCopy_SaysThatItReplacesBookmarks(t *testing.T) {
	a := filledIn(t, t.TempDir())
	server := onServer(t, pgtest.Schema(t), t.TempDir())
	var said []string
	server.Notice = func(sentence string) { said = append(said, sentence) }
	for _, want := range []int{0, 0, 1} { // none is there, the same one, another one
		if want == 1 {
			must(t, server.StateFile().Save("mine"))
		}
		said = nil
		st, err := server.Writing(t.Context())
		must(t, err)
		must(t, st.Update(t.Context(), func(tx store.Tx) error { return tx.ForgetEverything(t.Context()) }))
		_, err = a.Copy(t.Context(), server.Archive)
		must(t, err)
		if len(said) != want || want == 1 && !strings.Contains(said[0], "bookmarks") {
			t.Errorf("said %q, want %d sentences", said, want)
		}
		server.wantServerBeside(t, "before")
	}
}

func TestCopy_ChatsOfAnInterruptedCopy(t *testing.T) {
	a := filledIn(t, t.TempDir())
	server := onServer(t, pgtest.Schema(t), t.TempDir())
	again := func() error {
		st, err := server.Writing(t.Context())
		must(t, err)
		must(t, st.Update(t.Context(), func(tx store.Tx) error { return tx.ForgetEverything(t.Context()) }))
		_, err = a.Copy(t.Context(), server.Archive)
		return err
	}
	must(t, again())
	must(t, again()) // the chats are there already
	server.wantServerBeside(t, "before")
	h, err := a.folder.Home()
	must(t, err)
	chats, err := h.OpenSessions(t.Context(), datadir.SessionsFile, true)
	must(t, err)
	must(t, chats.Update(t.Context(), func(tx store.SessionsTx) error {
		_, err := tx.Clear(t.Context())
		return err
	}))
	must(t, chats.Close())
	if err := again(); err == nil || !strings.Contains(err.Error(), "already exists") {
		t.Errorf("it replaces a chat that is nowhere else: %v", err)
	}
}

func TestCopy_Refusals(t *testing.T) {
	a := filledIn(t, t.TempDir())
	server := onServer(t, pgtest.Schema(t), t.TempDir())
	_, err := a.Copy(t.Context(), server.Archive)
	must(t, err)
	if _, err := a.Copy(t.Context(), server.Archive); errs.CodeOf(err) != errs.Invalid {
		t.Errorf("a server with an archive: %v", err)
	}
	other := filledIn(t, t.TempDir())
	if _, err := server.Copy(t.Context(), other.Archive); errs.CodeOf(err) != errs.Invalid {
		t.Errorf("a folder with an archive: %v", err)
	}
	holder := keys.New(keys.Options{Remote: true})
	far := New(Options{
		DataDir: t.TempDir(), DatabaseURL: "postgres://db.example/lens", Network: network.Policy{Offline: true},
	}, holder, datadir.New(holder))
	if _, err := a.Copy(t.Context(), far); errs.CodeOf(err) != errs.Blocked {
		t.Errorf("a remote server, offline: %v", err)
	}
	a.encrypt(t)
	must(t, a.keys.Lock())
	empty := onServer(t, pgtest.Schema(t), t.TempDir())
	if _, err := a.Copy(t.Context(), empty.Archive); errs.CodeOf(err) != errs.Locked {
		t.Errorf("locked: %v", err)
	}
}

// TestBackup_OfServer backs up an archive on a server while it is written, and restores it into SQLite and to a server.
func TestBackup_OfServer(t *testing.T) {
	server := onServer(t, pgtest.Schema(t), t.TempDir())
	first := filledIn(t, t.TempDir())
	_, err := first.Copy(t.Context(), server.Archive)
	must(t, err)
	want, path := server.export(t), filepath.Join(t.TempDir(), "b.tar")
	b, err := server.Backup(t.Context(), path, false)
	must(t, err)
	local := archiveIn(t, t.TempDir())
	restored, err := local.Restore(t.Context(), path, false)
	must(t, err)
	if b.Encrypted || restored.Holds != b.Holds || local.export(t) != want {
		t.Errorf("wrote %+v, restored %+v", b, restored)
	}
	local.wantBeside(t, "before")
	again := onServer(t, pgtest.Schema(t), t.TempDir())
	_, err = again.Restore(t.Context(), path, false)
	must(t, err)
	if again.export(t) != want {
		t.Error("restored to a server: the export differs")
	}
	again.wantServerBeside(t, "before")
	if _, err := again.Restore(t.Context(), path, true); errs.CodeOf(err) != errs.Invalid {
		t.Errorf("a server with an archive: %v", err)
	}
}

// The encrypted backup of a local archive can be restored to a server, which needs its passphrase.
func TestRestore_EncryptedBackupOnServer(t *testing.T) {
	a := filledIn(t, t.TempDir())
	want := a.export(t)
	a.encrypt(t)
	path := filepath.Join(t.TempDir(), "b.tar")
	_, err := a.Backup(t.Context(), path, false)
	must(t, err)
	server := onServer(t, pgtest.Schema(t), t.TempDir())
	server.keys.OnSecret(nil)
	if _, err := server.Restore(t.Context(), path, false); errs.CodeOf(err) != errs.Locked {
		t.Errorf("without the passphrase: %v", err)
	}
	server.keys.OnSecret(func() (string, error) { return vaulttest.Passphrase, nil })
	_, err = server.Restore(t.Context(), path, false)
	must(t, err)
	if server.export(t) != want {
		t.Error("the export differs")
	}
	server.wantServerBeside(t, "before")
}

// An interrupted copy leaves the server empty.
func TestCopy_Canceled(t *testing.T) {
	a := filledIn(t, t.TempDir())
	server := onServer(t, pgtest.Schema(t), t.TempDir())
	st, err := a.Reading(t.Context())
	must(t, err)
	ctx, stop := context.WithCancel(t.Context())
	to, err := server.Writing(t.Context())
	must(t, err)
	_, err = transfer.Copy(ctx, st.(store.Dumper), to, func(int) { stop() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	_, err = a.Copy(t.Context(), server.Archive)
	must(t, err)
	if server.export(t) != a.export(t) {
		t.Error("the export differs")
	}
}
