package archive

import (
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"lens/internal/errs"
)

// workFolder is a folder for the files of one operation, at a fixed place: what a killed process left there is removed
// by the next one.
type workFolder struct {
	dir  string
	lock *flock.Flock
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
	w := &workFolder{dir, flock.New(mark, flock.SetPermissions(0o600))}
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

// close removes the folder.
func (w *workFolder) close() {
	_ = w.clear()
	_ = w.lock.Close() // Windows does not remove open files
	_ = os.RemoveAll(w.dir)
}
