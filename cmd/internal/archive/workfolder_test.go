package archive

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lens/cmd/internal/datadir"
	"lens/cmd/internal/doctor"
	"lens/store"
)

// killed leaves a work folder as a process does that is killed while it writes a copy of the archive.
func killed(t *testing.T, work *workFolder, err error) (dir string) {
	t.Helper()
	must(t, err)
	must(t, os.WriteFile(work.path("lens.db"), make([]byte, 2_000_000), 0o600))
	must(t, work.lock.Close())
	return work.dir
}

func TestWorkFolders_LeftByAKill(t *testing.T) {
	a := filledIn(t, t.TempDir())
	path := filepath.Join(t.TempDir(), "b.tar")
	used, err := a.work().forBackup(filepath.Join(t.TempDir(), "c.tar"))
	must(t, err)
	defer used.close()
	wantLeft := func(why string, dirs ...string) {
		t.Helper()
		checks := a.work().check()
		if len(checks) != len(dirs) {
			t.Fatalf("%s: got %+v, want %v", why, checks, dirs)
		}
		for i, c := range checks {
			if c.Status != doctor.Warn || !strings.Contains(c.Message, dirs[i]+" (2.0 MB)") || c.Hint == "" {
				t.Errorf("%s: got %+v, want %s", why, c, dirs[i])
			}
		}
	}
	wantLeft("to begin with")
	leave := func() (copying, partial string) {
		t.Helper()
		work, err := a.work().forCopy("copy")
		copying = killed(t, work, err)
		work, err = a.work().forBackup(path)
		return copying, killed(t, work, err)
	}
	copying, partial := leave()
	wantLeft("after kills", copying, partial)
	_, err = a.Backup(t.Context(), path, false)
	must(t, err)
	wantLeft("after the same backup", copying)
	work, err := a.work().forCopy("copy")
	must(t, err)
	work.close()
	wantLeft("after another copy")

	_, partial = leave()
	must(t, os.RemoveAll(partial)) // as the hint says
	wantLeft("after it was deleted", copying)
	if records, err := filepath.Glob(filepath.Join(a.opts.DataDir, recordName+"*")); err != nil || len(records) != 1 {
		t.Errorf("after it was deleted, records are %v, %v", records, err) // that of the backup that is being written
	}

	leave()
	_, err = a.Forget(t.Context(), ForgetOptions{Everything: true, DryRun: true})
	must(t, err)
	wantLeft("before it is forgotten", copying, partial)
	_, err = a.Forget(t.Context(), ForgetOptions{Everything: true})
	must(t, err)
	wantLeft("after everything was forgotten")
	for _, dir := range []string{copying, partial} {
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", dir, err)
		}
	}
	if records, err := filepath.Glob(filepath.Join(a.opts.DataDir, recordName+"*")); err != nil || len(records) != 1 {
		t.Errorf("records %v, want that of the one in use; %v", records, err)
	}
	if _, err := os.Stat(used.dir); err != nil {
		t.Errorf("a backup that is being written: %v", err)
	}
}

func TestProbe_NamesLeftovers(t *testing.T) {
	a := archiveIn(t, t.TempDir()) // also without an archive
	work, err := a.work().forCopy("restore")
	dir := killed(t, work, err)
	for _, c := range a.Probe(noFiles, nil)(t.Context()) {
		if c.Name == "leftovers" && strings.Contains(c.Message, dir) {
			return
		}
	}
	t.Error("the diagnosis does not name it")
}

func TestProbe_DiskUseOfSavedChats(t *testing.T) {
	a := filledIn(t, t.TempDir())
	st, err := a.Reading(t.Context())
	must(t, err)
	h, err := a.folder.Home()
	must(t, err)
	info, err := os.Stat(h.Path(datadir.SessionsFile))
	must(t, err)
	use, err := st.(store.DiskMeter).DiskUse(t.Context())
	must(t, err)
	c := a.checkDisk(t.Context(), st.(store.DiskMeter))
	if !strings.HasPrefix(c.Message, inMB(use.Total+info.Size())) || !strings.HasSuffix(c.Message, "; saved chats "+inMB(info.Size())) {
		t.Errorf("got %+v", c)
	}
}
