// Package datadir says where the archive and the files next to it are in the data folder, moves them from plain to
// encrypted and back, and puts those of a backup in their place.
//
// The rules are:
//
//   - Code that reads or writes in the data folder gets its Home from Folder first, which shares the directory lock. A
//     Mover takes that lock exclusively.
//   - A change of the encryption writes a copy; one rename or one unlink makes it the archive. A process that is killed
//     before or after that leaves a valid archive, and a record of what the next process may remove.
//   - A restore takes several renames. Its plan is written first, and the next process carries out the rest.
//   - Sessions are opened for one operation within With, so that a Mover never meets them open.
package datadir

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"

	"lens/cmd/internal/keys"
	"lens/internal/errs"
	"lens/internal/vault"
)

// Folder is the data folder of an archive, as all stores of this process use it. It is safe for concurrent use.
type Folder struct {
	holder *keys.Holder
	using  sync.RWMutex // shared by With; a Mover holds it

	mu   sync.Mutex // held while the PIN is asked for, and while the archive moves
	lock dirLock

	presence presence
}

// New returns the data folder of a holder's archive. It opens nothing yet.
func New(h *keys.Holder) *Folder { return &Folder{holder: h, lock: dirLock{dir: h.Dir()}} }

// Close releases the directory lock, and ends the presence of this process.
func (f *Folder) Close() {
	f.presence.end()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.lock.release()
}

// Home returns the archive's home, and asks for its PIN if needed. Errors: locked, and those of reading the vault.
func (f *Folder) Home() (Home, error) { return f.HomeFor(nil) }

// With calls do with the archive's home, which does not move meanwhile. do must not call With. Errors: those of Home
// and of do.
func (f *Folder) With(do func(Home) error) error {
	f.using.RLock()
	defer f.using.RUnlock()
	h, err := f.Home()
	if err != nil {
		return err
	}
	return do(h)
}

// HomeFor is Home for a store that must be locked with the archive, until the holder releases it.
func (f *Folder) HomeFor(user keys.Locker) (Home, error) {
	plain := f.plain()
	if f.holder.Remote() {
		return plain, nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.lock.share(); err != nil {
		return plain, err
	}
	if err := f.settle(); err != nil {
		return plain, err
	}
	v, err := f.holder.Vault()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return plain, nil
	case err != nil:
		return plain, err
	}
	key, err := f.holder.Keys(v, user)
	if err != nil {
		return plain, err
	}
	h := f.sealed(v, key)
	if missing(h.Path(ArchiveFile)) { // do not create an empty archive in its place
		return plain, &errs.Error{
			Code: errs.Unavailable, Op: "open archive",
			Message: "the archive of lens.vault in " + plain.Dir + " is missing",
			Hint:    "restore " + filepath.Base(h.Dir) + " from the same backup as lens.vault",
		}
	}
	return h, nil
}

// plain returns the home of an archive that is not encrypted.
func (f *Folder) plain() Home { return Home{Dir: f.holder.Dir()} }

// sealed returns the home of an encrypted archive.
func (f *Folder) sealed(v *vault.Vault, keys *vault.Keys) Home {
	return Home{Dir: f.plain().Path(sealedName(v.Epoch())), keys: keys}
}

// sealedName returns the folder of an encrypted archive with an epoch, inside the data folder. A data folder that
// contains lens.vault belongs to that archive, whatever else it contains.
func sealedName(epoch int) string { return fmt.Sprintf("sealed-%d", epoch) }

// Settle finishes a change of the data folder that was interrupted, if there is one. Home does so, too: call Settle
// before looking into the folder without it. Errors: unavailable.
func (f *Folder) Settle() error {
	if f.holder.Remote() || !f.isUnsettled() {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.lock.share(); err != nil {
		return err
	}
	return f.settle()
}

// isUnsettled reports whether a change was interrupted, or is running.
func (f *Folder) isUnsettled() bool {
	return !missing(f.plain().Path(movingName)) || !missing(f.plain().Path(restoringName))
}

// settle finishes an interrupted change. While another process uses the archive it leaves the rest of a move for later,
// but waits for a restore: until that is finished, the folder may hold parts of two archives. f.mu is held.
func (f *Folder) settle() error {
	if !f.isUnsettled() {
		return nil
	}
	var err error
	switch {
	case f.lock.tryExclude():
		err = finish(f.holder)
	case !missing(planPath(f.holder.Dir())):
		if err = f.lock.exclude(); err == nil {
			err = finish(f.holder)
		}
	}
	f.lock.release()
	return errors.Join(err, f.lock.share())
}

// finish finishes an interrupted restore or move. The directory lock is held exclusively.
func finish(h *keys.Holder) error {
	if err := finishRestore(h.Dir()); err != nil {
		return err
	}
	return clearUp(h)
}
