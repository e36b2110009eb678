//go:build system

package archive

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"lens/cmd/internal/backup"
	"lens/cmd/internal/datadir"
	"lens/cmd/internal/keys"
	"lens/internal/demo"
	"lens/internal/errs"
	"lens/internal/testenv"
	"lens/internal/vault/vaulttest"
	"lens/store"
	"lens/store/postgres/pgtest"
	"lens/store/transfer"
)

// openTest returns the archive in dir for a process of its own, which knows its passphrase.
func openTest(dir string) *testArchive {
	holder := keys.New(keys.Options{Dir: dir, Vault: vaulttest.Options()})
	holder.OnSecret(func() (string, error) { return vaulttest.Passphrase, nil })
	folder := datadir.New(holder)
	return &testArchive{New(Options{DataDir: dir, Verb: "test"}, holder, folder), holder, folder}
}

func (a *testArchive) quit() error {
	err := a.Close()
	a.keys.Close()
	a.folder.Close()
	return err
}

// restoring replaces an archive by that of one backup, then by that of another, and backs up each. It prints each step
// before it starts.
var restoring = testenv.NewChild("restore", func(args []string) error {
	ctx, dir, written := context.Background(), args[0], args[1]
	for {
		for _, from := range args[2:] {
			a := openTest(dir)
			fmt.Println("restore")
			if _, err := a.Restore(ctx, from, true); err != nil {
				return err
			}
			fmt.Println("backup")
			if _, err := a.Backup(ctx, written, true); err != nil {
				return err
			}
			if err := a.quit(); err != nil {
				return err
			}
		}
	}
})

// openServer is openTest for an archive on a server.
func openServer(url, dir string) *testArchive {
	holder := keys.New(keys.Options{Dir: dir, Remote: true})
	folder := datadir.New(holder)
	return &testArchive{New(Options{DataDir: dir, DatabaseURL: url, Verb: "test"}, holder, folder), holder, folder}
}

// copying copies an archive to a server and from there to a new folder, and empties the server. It prints each step
// before it starts.
var copying = testenv.NewChild("copy", func(args []string) error {
	ctx, dir, url, beside, folders := context.Background(), args[0], args[1], args[2], args[3]
	a, server := openTest(dir), openServer(url, beside)
	for {
		fmt.Println("empty")
		st, err := server.Writing(ctx)
		if err != nil {
			return err
		}
		if err := st.Update(ctx, func(tx store.Tx) error { return tx.ForgetEverything(ctx) }); err != nil {
			return err
		}
		fmt.Println("to the server")
		if _, err := a.Copy(ctx, server.Archive); err != nil {
			return err
		}
		all, err := os.ReadDir(folders)
		if err != nil {
			return err
		}
		fmt.Println("to a folder")
		to := openTest(filepath.Join(folders, fmt.Sprintf("%04d", len(all))))
		if _, err := server.Copy(ctx, to.Archive); err != nil {
			return err
		}
		if err := to.quit(); err != nil {
			return err
		}
	}
})

// wantWholeOrNothing checks that an archive that a killed process was writing is complete, or empty or not there.
func (a *testArchive) wantWholeOrNothing(t *testing.T, step, want string) (whole bool) {
	t.Helper()
	st, err := a.Reading(t.Context())
	if errs.CodeOf(err) == errs.NotFound {
		return false
	}
	must(t, err)
	if a.export(t) == want {
		return true
	}
	if transfer.MustBeEmpty(t.Context(), st) == nil {
		return false
	}
	// The server may finish the one commit that the process had sent, so it may hold the copy now.
	if got := a.export(t); got != want {
		t.Errorf("killed at %q: %s is neither empty nor the copy: it exports %d bytes, the archive %d",
			step, a.Place(), len(got), len(want))
	}
	return true
}

func TestCopy_OutlivesBeingKilled(t *testing.T) {
	url := pgtest.Schema(t)
	dir, beside, folders := t.TempDir(), t.TempDir(), t.TempDir()
	first := filledIn(t, dir)
	want := first.export(t)
	must(t, first.Close())
	during, whole := map[string]int{}, map[bool]int{}
	for range kills() {
		after := time.Duration(rand.Int64N(int64(3 * time.Second)))
		lines := testenv.KillAfter(t, copying.Command(t, dir, url, beside, folders), after)
		step := lines[len(lines)-1]
		if strings.Contains(step, ":") {
			t.Fatalf("the process failed: %s", step)
		}
		during[step]++
		server := openServer(url, beside)
		whole[server.wantWholeOrNothing(t, step, want)]++
		must(t, server.quit())
		all, err := os.ReadDir(folders)
		must(t, err)
		if len(all) > 0 {
			to := openTest(filepath.Join(folders, all[len(all)-1].Name()))
			whole[to.wantWholeOrNothing(t, step, want)]++
			must(t, to.quit())
		}
		a := openTest(dir)
		if a.export(t) != want {
			t.Errorf("killed at %q: the archive itself has changed", step)
		}
		must(t, a.quit())
	}
	t.Logf("killed during %v; complete or not: %v", during, whole)
}

// kills returns how often the tests kill a process: LENS_KILLS, or a few times.
func kills() int {
	if n, err := strconv.Atoi(os.Getenv("LENS_KILLS")); err == nil {
		return n
	}
	if testing.Short() {
		return 2
	}
	return 6
}

// state returns the export of an archive with the files next to it and the saved chats.
func (a *testArchive) state(t *testing.T) string {
	t.Helper()
	all := a.export(t)
	for _, name := range []string{datadir.StateFile, filepath.FromSlash(chatFile)} {
		var text string
		(datadir.File{Folder: a.folder, Name: name}).Load(&text)
		all += "\n" + text
	}
	return all + "\n" + a.savedChat(t)
}

// backupOf returns a backup of an archive with other chats than any other seed's, and its state.
func backupOf(t *testing.T, seed uint64, sealed bool) (path, state string) {
	t.Helper()
	a := archiveIn(t, t.TempDir())
	export := testenv.Demo(t, demo.Options{Turns: 300, Seed: seed})
	_, err := a.Import(t.Context(), []string{export}, ImportOptions{})
	must(t, err)
	a.writeBeside(t, fmt.Sprint("archive ", seed))
	if state = a.state(t); sealed {
		a.encrypt(t)
	}
	path = filepath.Join(t.TempDir(), fmt.Sprint(seed, ".tar"))
	_, err = a.Backup(t.Context(), path, false)
	must(t, err)
	return path, state
}

func TestBackupAndRestore_OutliveBeingKilled(t *testing.T) {
	plain, one := backupOf(t, 1, false)
	sealed, two := backupOf(t, 2, true)
	dir, written := t.TempDir(), filepath.Join(t.TempDir(), "written.tar")
	a := openTest(dir)
	_, err := a.Restore(t.Context(), plain, false)
	must(t, errors.Join(err, a.quit()))
	during, left := map[string]int{}, map[string]int{}
	for range kills() {
		after := time.Duration(rand.Int64N(int64(900 * time.Millisecond)))
		lines := testenv.KillAfter(t, restoring.Command(t, dir, written, sealed, plain), after)
		step := lines[len(lines)-1]
		if strings.Contains(step, ":") {
			t.Fatalf("the process failed: %s", step)
		}
		during[step]++
		if _, err := os.Stat(filepath.Join(dir, "lens.restoring", "plan.json")); err == nil {
			left["committed"]++
		}
		a := openTest(dir)
		switch state := a.state(t); {
		case state != one && state != two:
			t.Fatalf("killed at %q: it is neither the old archive nor the new one", step)
		case a.keys.Encrypted() != (state == two):
			t.Fatalf("killed at %q: encrypted %v", step, a.keys.Encrypted())
		}
		for _, c := range a.folder.Check(t.Context()) {
			if c.Hint != "" {
				t.Errorf("killed at %q: %+v", step, c)
			}
		}
		must(t, a.quit())
		if _, err := backup.Read(t.Context(), written, nil); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("killed at %q: %v", step, err)
		}
	}
	t.Logf("killed during %v; plans left %v", during, left)
	a = openTest(dir)
	_, err = a.Backup(t.Context(), written, true)
	must(t, errors.Join(err, a.quit()))
	entries, err := os.ReadDir(filepath.Dir(written))
	must(t, err)
	if len(entries) != 1 {
		t.Errorf("left beside the backup: %v", entries)
	}
}
