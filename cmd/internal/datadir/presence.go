package datadir

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/gofrs/flock"

	"lens/internal/lazyregexp"
)

// presence shows other processes that this one is running: it holds a lock that the system releases when the process
// ends, however it ends. A process ID would not do, because it is used again, and means nothing in another container.
type presence struct {
	mu   sync.Mutex
	name string // "": not shown yet
	file *flock.Flock
}

const presencePrefix = "lens.running-"

// presenceName matches what rand.Text returns. Names are read from files, and become a part of a path.
var presenceName = lazyregexp.New(`^[A-Z2-7]{26}$`)

// Presence returns the name under which this process shows that it is running, until Close. Errors: those of the file
// system.
func (f *Folder) Presence() (string, error) {
	dir, p := f.plain().Dir, &f.presence
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.name != "" {
		return p.name, nil
	}
	removeEnded(dir)
	name := rand.Text()
	file, err := lockPresence(presencePath(dir, name))
	if err != nil {
		return "", err
	}
	p.name, p.file = name, file
	return name, nil
}

// IsPresent reports whether the process with a name is running. It reports true if that cannot be found out.
func (f *Folder) IsPresent(name string) bool {
	f.presence.mu.Lock()
	own := name != "" && name == f.presence.name
	f.presence.mu.Unlock()
	return own || presenceName().MatchString(name) && isLocked(presencePath(f.plain().Dir, name))
}

// end removes the file of this process.
func (p *presence) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.file == nil {
		return
	}
	_ = os.Remove(p.file.Path()) // best effort: the next process removes it
	_ = p.file.Close()
	p.name, p.file = "", nil
}

func presencePath(dir, name string) string { return filepath.Join(dir, presencePrefix+name) }

// lockPresence creates a file and locks it. removeEnded of another process may remove it before it is locked; then it
// is created again.
func lockPresence(path string) (*flock.Flock, error) {
	for {
		file := flock.New(path, flock.SetPermissions(0o600))
		if err := file.Lock(); err != nil {
			return nil, err
		}
		in, err := isIn(file, path)
		if err != nil {
			return nil, errors.Join(err, file.Close())
		}
		if in {
			return file, nil
		}
		_ = file.Close()
	}
}

// isIn reports whether an open file is still the one with a path: it may have been removed, and created again.
func isIn(file *flock.Flock, path string) (bool, error) {
	locked, err := file.Stat()
	if err != nil {
		return false, err
	}
	at, err := os.Stat(path)
	return err == nil && os.SameFile(locked, at), nil
}

// isLocked reports whether a process holds the lock of a file. Its own lock is shared, so that two calls at the same
// time do not take each other for that process.
func isLocked(path string) bool {
	file := flock.New(path, flock.SetFlag(os.O_RDONLY))
	free, err := file.TryRLock()
	_ = file.Close()
	return !free && !errors.Is(err, fs.ErrNotExist)
}

// removeEnded removes the files of processes that have ended.
func removeEnded(dir string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		name, ok := strings.CutPrefix(e.Name(), presencePrefix)
		if ok && presenceName().MatchString(name) {
			removeIfEnded(presencePath(dir, name))
		}
	}
}

// removeIfEnded removes a file that no process has locked, at best: the next process tries again. It holds the lock
// meanwhile, because a process may have created the file and be about to lock it: that process waits then, and sees
// that its file is gone. A shared lock would not do: of two that remove the file, one could remove it after it was
// created again.
func removeIfEnded(path string) {
	file := flock.New(path, flock.SetFlag(os.O_RDONLY))
	defer file.Close()
	free, err := file.TryLock()
	if err != nil || !free {
		return
	}
	if in, err := isIn(file, path); err != nil || !in {
		return
	}
	if os.Remove(path) != nil { // Windows removes no file that anyone has open
		_ = file.Close()
		_ = os.Remove(path)
	}
}
