package archive

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"lens/cmd/internal/doctor"
	"lens/internal/errs"
)

// workFolders are the work folders of one archive: the one in its data folder, for copies to it, and one beside each
// backup of it that is being written. Records in the data folder name those, so that what a killed process left there
// is found.
type workFolders struct{ dataDir string }

func (a *Archive) work() workFolders { return workFolders{a.opts.DataDir} }

// The names of the work folder in the data folder, and the beginning of those of the records.
const (
	copyingName = "lens.copying"
	recordName  = "lens.backup-"
)

// forCopy returns the work folder in the data folder.
func (f workFolders) forCopy(op string) (*workFolder, error) {
	dir := filepath.Join(f.dataDir, copyingName)
	if err := os.MkdirAll(f.dataDir, 0o700); err != nil {
		return nil, cannotWrite(dir, err)
	}
	work, err := newWorkFolder(op, dir)
	return work, cannotWrite(dir, err)
}

// forBackup returns a work folder beside a backup, and records it.
func (f workFolders) forBackup(path string) (*workFolder, error) {
	dir, err := filepath.Abs(path + ".partial")
	if err != nil {
		return nil, err
	}
	work, err := newWorkFolder("backup", dir)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(dir))
	work.record = filepath.Join(f.dataDir, fmt.Sprintf("%s%x", recordName, sum[:8]))
	_ = os.WriteFile(work.record, []byte(dir), 0o600) // an archive that cannot be written can be backed up
	return work, nil
}

// leftWork is a work folder of a process that was killed.
type leftWork struct {
	dir    string
	record string // "": it is in the data folder
	bytes  int64
}

// left returns what killed processes left.
func (f workFolders) left() (all []leftWork) {
	if bytes, left := isLeft(filepath.Join(f.dataDir, copyingName)); left {
		all = append(all, leftWork{dir: filepath.Join(f.dataDir, copyingName), bytes: bytes})
	}
	records, _ := filepath.Glob(filepath.Join(f.dataDir, recordName+"*")) // the pattern is well-formed
	for _, record := range records {
		dir, err := os.ReadFile(record)
		if err != nil {
			continue
		}
		if bytes, left := isLeft(string(dir)); left {
			all = append(all, leftWork{dir: string(dir), record: record, bytes: bytes})
		} else if wasRemoved(string(dir)) {
			_ = os.Remove(record)
		}
	}
	return all
}

// wasRemoved reports whether a folder was deleted, and not the disk that it is on taken away.
func wasRemoved(dir string) bool {
	_, err := os.Stat(dir)
	_, errOfParent := os.Stat(filepath.Dir(dir))
	return errors.Is(err, fs.ErrNotExist) && errOfParent == nil
}

// isLeft reports whether dir is a work folder that no process uses, and how large it is.
func isLeft(dir string) (bytes int64, left bool) {
	mark := filepath.Join(dir, workLock)
	if _, err := os.Stat(mark); err != nil {
		return 0, false
	}
	lock := flock.New(mark, flock.SetFlag(os.O_RDWR))
	locked, err := lock.TryLock()
	_ = lock.Close()
	if err != nil || !locked {
		return 0, false
	}
	_ = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			if info, err := e.Info(); err == nil {
				bytes += info.Size()
			}
		}
		return nil
	})
	return bytes, true
}

// removeLeft removes what killed processes left: it has the texts of the archive. A process that has begun to work
// there since does so itself.
func (f workFolders) removeLeft() error {
	var failed error
	for _, left := range f.left() {
		work, err := newWorkFolder("forget", left.dir)
		switch {
		case work != nil:
			work.record = left.record
			work.close()
			failed = errors.Join(failed, err)
		case errs.CodeOf(err) != errs.Unavailable:
			failed = errors.Join(failed, err)
		}
	}
	return failed
}

// check names what killed processes left.
func (f workFolders) check() (checks []doctor.Check) {
	for _, work := range f.left() {
		c := doctor.Check{
			Name: "leftovers", Status: doctor.Warn,
			Message: fmt.Sprintf("an interrupted copy or restore left %s (%s)", work.dir, inMB(work.bytes)),
			Hint:    "run lens copy or lens restore again, or delete the folder",
		}
		if work.record != "" {
			c.Message = fmt.Sprintf("an interrupted backup left %s (%s)", work.dir, inMB(work.bytes))
			c.Hint = "run the same lens backup again, or delete the folder"
		}
		checks = append(checks, c)
	}
	return checks
}

// workFolder is a folder for the files of one operation, at a fixed place: what a killed process left there is removed
// by the next one.
type workFolder struct {
	dir    string
	lock   *flock.Flock
	record string // the file that names it; "": none does
}

// workLock is the lock of the process that uses a work folder, and the mark that the folder is one.
const workLock = "lens.work"

// newWorkFolder returns an empty folder at dir. Errors: unavailable if another process uses it, or if there is a folder
// of another kind; those of the file system.
func newWorkFolder(op, dir string) (*workFolder, error) {
	taken := &errs.Error{
		Code: errs.Unavailable, Op: op, Message: dir + " is in the way: Lens needs a folder of this name for a while",
		Hint: "move it away and try again; nothing was changed",
	}
	mark := filepath.Join(dir, workLock)
	err := os.Mkdir(dir, 0o700)
	if os.IsExist(err) {
		entries, failed := os.ReadDir(dir)
		if _, err := os.Stat(mark); failed != nil || err != nil && len(entries) > 0 {
			return nil, taken
		}
	} else if err != nil {
		return nil, err
	}
	w := &workFolder{dir: dir, lock: flock.New(mark, flock.SetPermissions(0o600))}
	locked, err := w.lock.TryLock()
	if err != nil || !locked {
		_ = w.lock.Close()
		return nil, &errs.Error{
			Code: errs.Unavailable, Op: op, Message: "another Lens process is working in " + dir,
			Hint: "wait until it finishes", Err: err,
		}
	}
	return w, w.clear()
}

// path returns the path of a file in the folder.
func (w *workFolder) path(name string) string { return filepath.Join(w.dir, name) }

// clear removes everything but the lock.
func (w *workFolder) clear() error {
	entries, err := os.ReadDir(w.dir)
	for _, e := range entries {
		if e.Name() != workLock && err == nil {
			err = os.RemoveAll(w.path(e.Name()))
		}
	}
	return err
}

// close removes the folder, and its record at last.
func (w *workFolder) close() {
	_ = w.clear()
	_ = w.lock.Close() // Windows does not remove open files
	if os.RemoveAll(w.dir) == nil && w.record != "" {
		_ = os.Remove(w.record)
	}
}
