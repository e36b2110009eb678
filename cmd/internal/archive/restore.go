package archive

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"lens/cmd/internal/datadir"
	"lens/internal/errs"
)

// Restore puts the archive of a backup into the data folder, which must not hold one unless replace is set: see
// datadir.Mover.Restore. On a database server, the archive must be empty. Errors: as there.
func (a *Archive) Restore(ctx context.Context, path string, replace bool) (*Backup, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, cannotRead(path, err)
	}
	if a.remote() {
		head, err := a.restoreOnServer(ctx, path)
		if err != nil {
			return nil, cannotRead(path, err)
		}
		return &Backup{Path: path, Bytes: info.Size(), Head: head}, nil
	}
	head, err := datadir.NewMover(a.folder, a).Restore(ctx, path, replace)
	if err != nil {
		return nil, cannotRead(path, err)
	}
	return &Backup{Path: path, Bytes: info.Size(), Head: head}, nil
}

// cannotRead explains an error of reading a backup.
func cannotRead(path string, err error) error {
	var file *fs.PathError
	if errors.As(err, new(*errs.Error)) || !errors.As(err, &file) {
		return err
	}
	e := &errs.Error{
		Code: errs.Unavailable, Op: "restore", Message: "cannot read " + path,
		Hint: "check the file and its permissions; nothing was changed", Err: err,
	}
	if errors.Is(err, fs.ErrNotExist) {
		e.Message = "there is no file " + path
	}
	return e
}
