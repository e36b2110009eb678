package archive

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lens/cmd/internal/datadir"
	"lens/cmd/internal/keys"
	"lens/cmd/internal/network"
	"lens/internal/demo"
	"lens/internal/errs"
	"lens/internal/testenv"
	"lens/internal/vault/vaulttest"
)

// testArchive is an archive of its own process.
type testArchive struct {
	*Archive
	keys   *keys.Holder
	folder *datadir.Folder
}

// archiveIn returns the archive in dir, not open yet.
func archiveIn(t testing.TB, dir string) *testArchive {
	t.Helper()
	holder := keys.New(keys.Options{Dir: dir, Vault: vaulttest.Options()})
	folder := datadir.New(holder)
	a := &testArchive{New(Options{DataDir: dir, Verb: "test", WholeText: whole}, holder, folder), holder, folder}
	t.Cleanup(func() {
		must(t, a.Close())
		holder.Close()
		folder.Close()
	})
	return a
}

// whole says that models got every text whole.
func whole(_, _, _ string) bool { return true }

func (a *testArchive) encrypt(t testing.TB) {
	t.Helper()
	must(t, datadir.NewMover(a.folder, a).Encrypt(t.Context(), vaulttest.Alone(vaulttest.Passphrase)))
}

// importDemo imports some synthetic chats.
func (a *testArchive) importDemo(t testing.TB) {
	t.Helper()
	export := testenv.Demo(t, demo.Options{Turns: 200})
	_, err := a.Import(t.Context(), []string{export}, ImportOptions{})
	must(t, err)
}

var must = testenv.Must

func TestOpen_WithoutArchive(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "lens")
	a := archiveIn(t, dir)
	if _, err := a.Engine(t.Context()); errs.CodeOf(err) != errs.NotFound {
		t.Errorf("got %v", err)
	}
	receipt, err := a.Import(t.Context(), []string{"nowhere"}, ImportOptions{DryRun: true})
	if err == nil || receipt == nil {
		t.Errorf("dry run: got %v, %v", receipt, err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the data folder was created: %v", err)
	}
}

func TestOpen_OfflineRemoteDatabase(t *testing.T) {
	const url = "postgres://u:hunter2@db.example/lens"
	holder := keys.New(keys.Options{Remote: true})
	a := New(Options{DatabaseURL: url, Network: network.Policy{Offline: true}}, holder, datadir.New(holder))
	_, err := a.Engine(context.Background())
	if errs.CodeOf(err) != errs.Blocked {
		t.Errorf("got %v", err)
	}
	for _, text := range []string{err.Error(), errs.First(err).Message, a.Place(), a.StateFile().Name} {
		if strings.Contains(text, "hunter2") {
			t.Errorf("%q contains the password", text)
		}
	}
}

func TestMain(m *testing.M) {
	testenv.BeChild()
	os.Exit(m.Run())
}
