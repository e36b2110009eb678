package archive

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"lens/cmd/internal/backup"
	"lens/cmd/internal/datadir"
	"lens/internal/diskspace"
	"lens/internal/errs"
	"lens/internal/vault"
	"lens/store"
	"lens/store/sqlite"
	"lens/store/transfer"
)

// Backup is a backup that was written or restored.
type Backup struct {
	Path  string `json:"path"`
	Bytes int64  `json:"bytes"`
	Chats bool   `json:"chats,omitempty"` // of one that was written: saved chats are in it, since the data folder has some
	backup.Head
}

// Backup writes the archive as of one commit, with the files next to it, to a file at path. It is encrypted if the
// archive is. Imports and readers go on meanwhile. The file appears when it is complete and has been checked; it takes
// the place of another one only if replace is set. Errors: not_found if there is no archive; locked; invalid if path is
// taken; unavailable (no room, path cannot be written, the archive is damaged).
func (a *Archive) Backup(ctx context.Context, path string, replace bool) (*Backup, error) {
	if err := mayWrite(path, replace); err != nil {
		return nil, err
	}
	snapshot, err := a.snapshotter(ctx)
	if err != nil {
		return nil, err
	}
	if err := snapshot.needRoom(filepath.Dir(path)); err != nil {
		return nil, err
	}
	work, err := a.work().forBackup(path)
	if err != nil {
		return nil, cannotWrite(path, err)
	}
	defer work.close()
	head, parts, err := a.collect(ctx, snapshot, work.dir)
	if err != nil {
		return nil, cannotWrite(path, err)
	}
	file := work.path("backup.tar")
	if err := writeBackup(ctx, file, head, parts); err != nil {
		return nil, cannotWrite(path, err)
	}
	head, err = backup.Read(ctx, file, nil) // what arrived on the disk
	if err != nil {
		return nil, cannotWrite(path, err)
	}
	if err := mayWrite(path, replace); err != nil {
		return nil, err
	}
	if err := os.Rename(file, path); err != nil {
		return nil, cannotWrite(path, err)
	}
	info, err := os.Stat(path)
	if err := errors.Join(err, vault.SyncDir(filepath.Dir(path))); err != nil {
		return nil, cannotWrite(path, err)
	}
	chats := slices.ContainsFunc(parts, func(p backup.Part) bool { return p.Name == datadir.SessionsFile })
	return &Backup{path, info.Size(), chats, head}, nil
}

// mayWrite returns an error if path is taken.
func mayWrite(path string, replace bool) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return cannotWrite(path, err)
	case !info.Mode().IsRegular():
		return &errs.Error{
			Code: errs.Invalid, Op: "backup", Message: path + " is not a file", Hint: "name a file to write",
		}
	case !replace:
		return &errs.Error{
			Code: errs.Invalid, Op: "backup", Message: path + " already exists",
			Hint: "name another file, or replace it with --force",
		}
	case !backup.IsBegun(path): // least of all the archive
		return &errs.Error{
			Code: errs.Invalid, Op: "backup", Message: path + " is not a backup, so it is not replaced",
			Hint: "name another file",
		}
	}
	return nil
}

// cannotWrite explains an error of the file system.
func cannotWrite(path string, err error) error {
	var file *fs.PathError
	if errors.As(err, new(*errs.Error)) || !errors.As(err, &file) {
		return err
	}
	return &errs.Error{
		Code: errs.Unavailable, Op: "backup", Message: "cannot write " + path,
		Hint: "check the folder, its permissions and the free space of its disk", Err: err,
	}
}

// collect writes what belongs into a backup to dir.
func (a *Archive) collect(
	ctx context.Context, snapshot snapshotter, dir string,
) (head backup.Head, parts []backup.Part, err error) {
	home, err := a.folder.Home()
	if err != nil {
		return head, nil, err
	}
	// Chats before the archive, so that it has the turns that they cite.
	beside, err := home.CopyBeside(ctx, dir, a.opts.StateName())
	if err != nil {
		return head, nil, err
	}
	head.Created = time.Now()
	if err := snapshot.write(ctx, dir); err != nil {
		return head, nil, err
	}
	held := home.Options()
	held.Dir = dir
	if head.Holds, err = sqlite.Verify(ctx, held); err != nil {
		return head, nil, err
	}
	key, err := a.folder.CopyVault(dir)
	if err != nil {
		return head, nil, err
	}
	head.Encrypted = len(key) > 0
	log, err := a.folder.CopyAudit(dir)
	if err != nil {
		return head, nil, err
	}
	parts = append(key, backup.Part{Name: datadir.ArchiveFile, Path: filepath.Join(dir, datadir.ArchiveFile)})
	return head, append(append(parts, beside...), log...), nil
}

func writeBackup(ctx context.Context, path string, head backup.Head, parts []backup.Part) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	err = backup.Write(ctx, file, head, parts)
	return errors.Join(err, file.Sync(), file.Close())
}

// snapshotter writes the archive as of one commit into a folder.
type snapshotter struct {
	write func(ctx context.Context, dir string) error
	bytes int64 // of what it will write, 0: unknown
}

func (a *Archive) snapshotter(ctx context.Context) (snapshotter, error) {
	st, err := a.Reading(ctx)
	if err != nil {
		return snapshotter{}, err
	}
	local, ok := st.(*sqlite.Store)
	if !ok {
		return a.serverSnapshotter(ctx, st)
	}
	home, err := a.folder.Home()
	if err != nil {
		return snapshotter{}, err
	}
	info, err := os.Stat(home.Path(datadir.ArchiveFile))
	if err != nil {
		return snapshotter{}, err
	}
	return snapshotter{local.Snapshot, info.Size()}, nil
}

// serverSnapshotter copies an archive on a server into SQLite, as of one commit.
func (a *Archive) serverSnapshotter(ctx context.Context, st store.Store) (s snapshotter, err error) {
	from, turns, err := dumper(ctx, st)
	if err != nil {
		return s, err
	}
	if meter, ok := st.(store.DiskMeter); ok {
		use, err := meter.DiskUse(ctx)
		if err != nil {
			return s, err
		}
		s.bytes = use.Total
	}
	s.write = func(ctx context.Context, dir string) error {
		to, err := sqlite.Open(ctx, sqlite.Options{Dir: dir, Verb: a.opts.Verb})
		if err != nil {
			return err
		}
		_, err = transfer.Copy(ctx, from, to, a.copied(turns))
		return errors.Join(err, to.Close())
	}
	return s, nil
}

// needRoom returns an error if a disk has no room for a backup: the snapshot, and the file that is made of it.
func (s snapshotter) needRoom(dir string) error {
	free, known := diskspace.FreeNear(dir)
	if !known || free >= 2*s.bytes {
		return nil
	}
	const megabyte = 1_000_000
	return &errs.Error{
		Code:    errs.Unavailable,
		Op:      "backup",
		Message: fmt.Sprintf("a backup needs %d MB, and the disk has %d MB free", 2*s.bytes/megabyte+1, free/megabyte),
		Hint:    "free some space on the disk of " + dir + ", or write to another one",
	}
}
