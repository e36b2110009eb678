package datadir

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"lens/cmd/internal/backup"
	"lens/internal/diskspace"
	"lens/internal/errs"
	"lens/internal/vault"
	"lens/store/sqlite"
)

// Restore puts the archive of a backup into the data folder. The folder must not hold an archive, unless replace is
// set: then the old one is kept aside until the end.
//
//  1. The backup is read once, and refused if anything is wrong with it.
//  2. Under the exclusive directory lock, it is unpacked into lens.restoring/new, and every page of the archive is read
//     and every file decrypted.
//  3. lens.restoring/plan.json is written. This is the commit.
//  4. The plan is carried out: see plan.
//
// A process that is killed before the commit leaves the old archive, and one that is killed after it the new one: the
// next process carries out the rest of the plan before it opens anything, or removes an uncommitted restore.
//
// Errors: invalid for a backup that cannot be read, and for a folder that holds an archive; locked without the PIN of
// an encrypted backup; unavailable.
func (m *Mover) Restore(ctx context.Context, file string, replace bool) (head backup.Head, err error) {
	if head, err = backup.Read(ctx, file, nil); err != nil {
		return head, err
	}
	dir := m.holder.Dir()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return head, cannotRestore(dir, err)
	}
	if err := roomFor(file, dir); err != nil {
		return head, err
	}
	return head, m.exclusively(func() error {
		if err := m.folder.MustBeFree(); err != nil && !replace {
			return err
		}
		if err := m.restoreOrUndo(ctx, file); err != nil {
			return err
		}
		m.holder.Replace(nil)
		return nil
	})
}

// restoreOrUndo leaves the new archive, or the old one and an error. If neither is possible, the error says so.
func (m *Mover) restoreOrUndo(ctx context.Context, file string) error {
	committed, err := m.restore(ctx, file)
	if err == nil {
		return nil
	}
	failed := finish(m.holder) // a second attempt, or it removes what is not committed
	switch {
	case !committed:
		return errors.Join(err, failed)
	case failed == nil:
		return nil
	}
	m.holder.Replace(nil) // the vault may be the new one
	return incomplete(m.holder.Dir(), errors.Join(err, failed))
}

// incomplete is the error of a restore that is committed and not complete: what is left to do of it says how far it
// came.
func incomplete(dir string, cause error) error {
	failure := &errs.Error{
		Code: errs.Unavailable, Op: "restore",
		Message: "the backup is only partly in its place: " + dir + " holds files of the old archive and of the new one",
		Hint: "check the permissions of " + dir + " and the free space of its disk, then run any lens command:" +
			" it completes the restore",
		Err: cause,
	}
	if p, err := loadPlan(dir); err == nil && p.Step == clean || errors.Is(err, fs.ErrNotExist) {
		failure.Message = "the backup is in its place, but what it replaced could not be removed from " + dir
	}
	return failure
}

// roomFor returns an error if the disk of dir has no room for the files of a backup.
func roomFor(file, dir string) error {
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	free, known := diskspace.Free(dir)
	if !known || free >= info.Size() {
		return nil
	}
	const megabyte = 1_000_000
	return &errs.Error{
		Code:    errs.Unavailable,
		Op:      "restore",
		Message: fmt.Sprintf("restoring needs %d MB, and the disk has %d MB free", info.Size()/megabyte+1, free/megabyte),
		Hint:    "free some space on the disk of " + dir + ", or choose another one with --data; nothing was changed",
	}
}

func cannotRestore(dir string, err error) error {
	if errors.As(err, new(*errs.Error)) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &errs.Error{
		Code: errs.Unavailable, Op: "restore", Message: "cannot write to " + dir,
		Hint: "check its permissions and the free space of its disk; nothing was changed", Err: err,
	}
}

// restore unpacks, checks, commits and carries out.
func (m *Mover) restore(ctx context.Context, file string) (committed bool, err error) {
	dir := m.holder.Dir()
	unpacked := filepath.Join(dir, restoringName, "new")
	if err := os.MkdirAll(unpacked, 0o700); err != nil {
		return false, cannotRestore(dir, err)
	}
	u, err := m.Unpack(ctx, file, unpacked)
	if err != nil {
		return false, err
	}
	u.Close()
	p, err := m.folder.newPlan(u.Names, u.epoch)
	if err != nil {
		return false, cannotRestore(dir, err)
	}
	if err := p.save(dir); err != nil {
		return !missing(planPath(dir)), cannotRestore(dir, err)
	}
	if m.committed != nil {
		m.committed()
	}
	return true, p.carryOut(dir)
}

// Unpacked is a backup whose files are in a folder, which is the home of its archive.
type Unpacked struct {
	Home
	Head  backup.Head
	Names []string // of the files, with slashes
	epoch int      // of its vault; 0: not encrypted
}

// Close erases the key.
func (u *Unpacked) Close() {
	if u.keys != nil {
		u.keys.Zero()
	}
}

// Unpack unpacks a backup into dir, opens the archive in it and compares it with the head of the backup. Errors: as
// Restore.
func (m *Mover) Unpack(ctx context.Context, file, dir string) (*Unpacked, error) {
	head, names, err := backup.Unpack(ctx, file, dir)
	if err != nil {
		return nil, cannotRestore(dir, err)
	}
	for _, name := range names {
		if !isPart(name) {
			return nil, wrongBackup("it holds a file that this Lens does not know: " + name)
		}
	}
	if head.Encrypted != slices.Contains(names, vaultFile) || !slices.Contains(names, ArchiveFile) {
		return nil, wrongBackup("it does not hold an archive")
	}
	home, epoch, err := m.openUnpacked(dir, head.Encrypted)
	if err != nil {
		return nil, err
	}
	u := &Unpacked{home, head, names, epoch}
	if err := u.check(ctx); err != nil {
		u.Close()
		return nil, err
	}
	return u, nil
}

// check reads every page of the archive, and every file next to it.
func (u *Unpacked) check(ctx context.Context) error {
	held, err := sqlite.Verify(ctx, u.Options())
	switch {
	case err != nil:
		return err
	case held != u.Head.Holds:
		return wrongBackup(fmt.Sprintf("it holds %+v instead of %+v", held, u.Head.Holds))
	}
	if slices.Contains(u.Names, SessionsFile) {
		if err := sqlite.VerifySessions(ctx, u.Options(), SessionsFile); err != nil {
			return err
		}
	}
	for _, name := range u.Names {
		if isFile(filepath.FromSlash(name)) {
			if _, err := u.Read(filepath.FromSlash(name)); err != nil {
				return err
			}
		}
	}
	return nil
}

func wrongBackup(why string) error {
	return &errs.Error{
		Code: errs.Invalid, Op: "restore", Message: "the backup cannot be restored: " + why,
		Hint: "use another backup, or update Lens; nothing was changed",
	}
}

// openUnpacked returns the home that an unpacked archive would have in dir, with its key.
func (m *Mover) openUnpacked(dir string, encrypted bool) (Home, int, error) {
	if !encrypted {
		return Home{Dir: dir}, 0, nil
	}
	v, keys, err := m.holder.OpenCopy(dir)
	if err != nil {
		return Home{}, 0, err
	}
	return Home{Dir: dir, keys: keys}, v.Epoch(), nil
}

// isPart reports whether a file of a backup may have a name.
func isPart(name string) bool {
	return name == ArchiveFile || name == SessionsFile || name == vaultFile || slices.Contains(auditFiles, name) ||
		isFile(filepath.FromSlash(name))
}

// MustBeFree returns an error if the data folder holds an archive. Errors: invalid.
func (f *Folder) MustBeFree() error {
	name, dir := f.occupied(), f.plain().Dir
	if name == "" {
		return nil
	}
	return &errs.Error{
		Code: errs.Invalid, Op: "restore", Message: "there already is an archive in " + dir + ": " + name,
		Hint: "choose another folder, or replace the archive with lens restore --force",
	}
}

// occupied returns the name of a file that says that the data folder holds an archive, "" for none. The explorer's
// state alone, which an empty archive has, does not.
func (f *Folder) occupied() string {
	for _, name := range []string{ArchiveFile, SessionsFile, vaultFile, vaultFile + ".bak"} {
		if !missing(f.plain().Path(name)) {
			return name
		}
	}
	files, _ := f.plain().files()
	for _, name := range files {
		if filepath.Dir(name) == ChatsFolder {
			return name
		}
	}
	return ""
}

// restoringName is the folder of a restore.
const restoringName = "lens.restoring"

// plan is the content of lens.restoring/plan.json: what is left to do of a restore that is committed. Each step can be
// repeated, and is done before the next one is saved. Paths have slashes and are relative to the data folder.
type plan struct {
	Step  step     `json:"step"`
	Aside []string `json:"aside"` // files of the old archive
	Place []string `json:"place"` // files of the new one
}

// step is what a plan does next.
type step string

// The steps of a plan, in their order.
const (
	aside step = "aside" // rename the old files into lens.restoring/old
	place step = "place" // rename the new files from lens.restoring/new
	clean step = "clean" // remove lens.restoring
)

// newPlan returns the plan that puts the unpacked files into their places. Errors: unavailable if a file that is not of
// the archive is in the way.
func (f *Folder) newPlan(names []string, epoch int) (plan, error) {
	p := plan{Step: aside}
	dir := f.plain().Dir
	if err := p.addOld(f, ""); err != nil {
		return p, err
	}
	if v, err := f.holder.Vault(); err == nil {
		if err := p.addOld(f, sealedName(v.Epoch())); err != nil {
			return p, err
		}
	}
	hasAudit := slices.ContainsFunc(auditFiles, func(name string) bool { return !missing(filepath.Join(dir, name)) })
	for _, name := range names {
		to := name
		switch {
		case slices.Contains(auditFiles, name):
			if hasAudit {
				continue // the log goes on: nothing that was decided here is undone
			}
		case epoch > 0 && name != vaultFile:
			to = path.Join(sealedName(epoch), name)
		}
		at := filepath.Join(dir, filepath.FromSlash(to))
		if !missing(at) && !slices.Contains(p.Aside, to) {
			return p, placeTaken("restore", at, "move it away and try again; nothing was changed")
		}
		p.Place = append(p.Place, to)
	}
	return p, nil
}

// addOld adds the files of the archive at a place in the data folder.
func (p *plan) addOld(f *Folder, place string) error {
	h := Home{Dir: f.plain().Path(place)}
	entries, err := os.ReadDir(h.Dir)
	if ifExists(err) != nil {
		return err
	}
	for _, e := range entries {
		if sqlite.IsArchiveFile(e.Name()) || place == "" && slices.Contains(vaultFiles, e.Name()) {
			p.Aside = append(p.Aside, path.Join(place, e.Name()))
		}
	}
	files, err := h.files()
	for _, name := range files {
		p.Aside = append(p.Aside, path.Join(place, filepath.ToSlash(name)))
	}
	return err
}

// vaultFiles are the files of a vault, with the count of wrong attempts.
var vaultFiles = []string{vaultFile, vaultFile + ".bak", "lens.tries"}

func planPath(dir string) string { return filepath.Join(dir, restoringName, "plan.json") }

// save replaces the plan atomically.
func (p plan) save(dir string) error {
	return errors.Join(Home{Dir: filepath.Join(dir, restoringName)}.Save("plan.json", p), vault.SyncDir(dir))
}

// loadPlan returns the plan of a restore that is committed. Errors: fs.ErrNotExist if there is none, unavailable for a
// plan that no restore writes.
func loadPlan(dir string) (p plan, err error) {
	if _, err := os.Stat(planPath(dir)); err != nil {
		return p, err
	}
	known := Home{Dir: filepath.Join(dir, restoringName)}.Load("plan.json", &p) &&
		slices.Contains([]step{aside, place, clean}, p.Step)
	for _, name := range slices.Concat(p.Aside, p.Place) {
		known = known && isOurs(name)
	}
	if !known {
		return plan{}, &errs.Error{
			Code: errs.Unavailable, Op: "restore", Message: planPath(dir) + " is damaged",
			Hint: "the old archive is in the folder old beside it, the new one in new: move one of them into " + dir,
		}
	}
	return p, nil
}

// isOurs reports whether a plan may rename a file.
func isOurs(name string) bool {
	if !fs.ValidPath(name) || strings.Contains(name, `\`) {
		return false
	}
	dir, rest, nested := strings.Cut(name, "/")
	if nested && dir != "" && isPlace(dir) {
		name = rest
	}
	return slices.Contains(vaultFiles, name) || slices.Contains(auditFiles, name) || sqlite.IsArchiveFile(name) ||
		isFile(filepath.FromSlash(name))
}

// carryOut does what is left of the plan.
func (p plan) carryOut(dir string) error {
	root := filepath.Join(dir, restoringName)
	if p.Step == aside {
		for _, name := range p.Aside {
			if err := rename(filepath.Join(dir, name), filepath.Join(root, "old", name)); err != nil {
				return err
			}
		}
		p.Step = place
		if err := p.save(dir); err != nil {
			return err
		}
	}
	if p.Step == place {
		for _, name := range p.Place {
			if err := rename(filepath.Join(root, "new", unplaced(name)), filepath.Join(dir, name)); err != nil {
				return err
			}
		}
		if !missing(filepath.Join(dir, vaultFile)) {
			if err := vault.Copy(dir, dir); err != nil { // the second file of the vault
				return err
			}
		}
		p.Step = clean
		if err := p.save(dir); err != nil {
			return err
		}
	}
	return p.clean(dir)
}

// unplaced returns the name in a backup of a file with a place.
func unplaced(name string) string {
	if dir, rest, nested := strings.Cut(name, "/"); nested && isPlace(dir) {
		return rest
	}
	return name
}

// clean removes the old archive, with the folders that it leaves empty, and at last the plan.
func (p plan) clean(dir string) error {
	for _, name := range p.Aside {
		if parent := path.Dir(name); parent != "." && !missing(filepath.Join(dir, parent)) {
			if err := removeEmpty(filepath.Join(dir, parent)); err != nil {
				return err
			}
		}
	}
	for _, name := range p.Aside {
		if place, _, nested := strings.Cut(name, "/"); nested && isPlace(place) && !missing(filepath.Join(dir, place)) {
			if err := removeEmpty(filepath.Join(dir, place)); err != nil {
				return err
			}
		}
	}
	return dropRestoring(dir)
}

// dropRestoring removes lens.restoring, its plan last.
func dropRestoring(dir string) error {
	root := filepath.Join(dir, restoringName)
	for _, name := range []string{"old", "new"} {
		if err := os.RemoveAll(filepath.Join(root, name)); err != nil {
			return err
		}
	}
	if err := vault.SyncDir(root); ifExists(err) != nil {
		return err
	}
	return errors.Join(os.RemoveAll(root), vault.SyncDir(dir))
}

// rename moves a file, unless that is already done, and syncs both folders.
func rename(from, to string) error {
	if missing(from) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	return errors.Join(os.Rename(from, to), vault.SyncDir(filepath.Dir(from)), vault.SyncDir(filepath.Dir(to)))
}

// finishRestore carries out the plan of a restore that was interrupted, or removes one that was not committed. The
// directory lock is held exclusively.
func finishRestore(dir string) error {
	if missing(filepath.Join(dir, restoringName)) {
		return nil
	}
	p, err := loadPlan(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return dropRestoring(dir)
	case err != nil:
		return err
	}
	return p.carryOut(dir)
}
