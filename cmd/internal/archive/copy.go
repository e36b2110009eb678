package archive

import (
	"context"
	"errors"

	"lens/cmd/internal/backup"
	"lens/cmd/internal/datadir"
	"lens/internal/errs"
	"lens/store"
	"lens/store/sqlite"
	"lens/store/transfer"
)

// Counts are the numbers of what an archive holds.
type Counts = store.Counts

// Copy copies the archive as of one commit, with bookmarks and saved chats, to another one, which must be empty. If it
// is interrupted, the other archive is empty, and Copy can be called again. Errors: invalid if to holds anything; those
// of Backup and Restore; blocked for a server that may not be reached.
func (a *Archive) Copy(ctx context.Context, to *Archive) (Counts, error) {
	if !to.remote() {
		return a.copyToFolder(ctx, to)
	}
	st, err := a.Reading(ctx)
	if err != nil {
		return Counts{}, err
	}
	from, turns, err := dumper(ctx, st)
	if err != nil {
		return Counts{}, err
	}
	if err := to.mustBeEmpty(ctx); err != nil {
		return Counts{}, err
	}
	work, err := to.work().forCopy("copy")
	if err != nil {
		return Counts{}, err
	}
	defer work.close()
	home, err := a.folder.Home()
	if err != nil {
		return Counts{}, err
	}
	parts, err := home.CopyBeside(ctx, work.dir, a.opts.StateName())
	if err != nil {
		return Counts{}, err
	}
	names := make([]string, len(parts))
	for i := range parts {
		names[i] = parts[i].Name
	}
	return to.fill(ctx, from, home.At(work.dir), names, a.copied(turns))
}

// copyToFolder copies the archive into a data folder: it backs up and restores.
func (a *Archive) copyToFolder(ctx context.Context, to *Archive) (Counts, error) {
	if _, err := a.Reading(ctx); err != nil { // so that no folder is created
		return Counts{}, err
	}
	if err := to.folder.MustBeFree(); err != nil {
		return Counts{}, err
	}
	work, err := to.work().forCopy("copy")
	if err != nil {
		return Counts{}, err
	}
	defer work.close()
	file := work.path("backup.tar")
	if _, err := a.Backup(ctx, file, false); err != nil {
		return Counts{}, err
	}
	restored, err := to.Restore(ctx, file, false)
	if err != nil {
		return Counts{}, err
	}
	return restored.Holds, nil
}

// restoreOnServer copies the archive of a backup to the server.
func (a *Archive) restoreOnServer(ctx context.Context, path string) (head backup.Head, err error) {
	if head, err = backup.Read(ctx, path, nil); err != nil {
		return head, err
	}
	if err := a.mustBeEmpty(ctx); err != nil {
		return head, err
	}
	work, err := a.work().forCopy("restore")
	if err != nil {
		return head, err
	}
	defer work.close()
	u, err := datadir.NewMover(a.folder, a).Unpack(ctx, path, work.dir)
	if err != nil {
		return head, err
	}
	defer u.Close()
	from, err := sqlite.Open(ctx, u.Options()) // for writing: an older archive is upgraded
	if err != nil {
		return head, err
	}
	_, err = a.fill(ctx, from, u.Home, u.Names, a.copied(head.Holds.Turns))
	return head, errors.Join(err, from.Close())
}

// mustBeEmpty returns an error if the archive on the server holds anything. Errors: invalid, those of opening it.
func (a *Archive) mustBeEmpty(ctx context.Context) error {
	st, err := a.Writing(ctx)
	if err != nil {
		return err
	}
	return transfer.MustBeEmpty(ctx, st)
}

// fill copies an archive, and the files that were next to it, to the server. The files come first: an archive that is
// complete is never without them.
func (a *Archive) fill(
	ctx context.Context, from store.Dumper, beside datadir.Home, names []string, copied func(turns int),
) (Counts, error) {
	home, err := a.folder.Home()
	if err != nil {
		return Counts{}, err
	}
	replaced, err := home.PutBeside(ctx, beside, names, a.opts.StateName())
	if err != nil {
		return Counts{}, err
	}
	if replaced && a.Notice != nil {
		a.Notice("Replaced the explorer's history and bookmarks for " + a.Place() + ".")
	}
	to, err := a.Writing(ctx)
	if err != nil {
		return Counts{}, err
	}
	return transfer.Copy(ctx, from, to, copied)
}

// dumper returns an archive that can be copied, and how many turns it has. Errors: invalid; those of reading it.
func dumper(ctx context.Context, st store.Store) (from store.Dumper, turns int, err error) {
	from, ok := st.(store.Dumper)
	if !ok {
		return nil, 0, &errs.Error{Code: errs.Invalid, Op: "copy", Message: "this archive cannot be copied"}
	}
	catalog, err := st.Catalog(ctx)
	if err != nil {
		return nil, 0, err
	}
	return from, catalog.Len(), nil
}

// copied returns what reports how many of the turns are copied.
func (a *Archive) copied(total int) func(turns int) {
	return func(turns int) {
		if a.Progress != nil {
			a.Progress(Progress{Done: int64(turns), Total: int64(total)})
		}
	}
}
