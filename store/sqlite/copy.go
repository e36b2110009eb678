package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ncruces/go-sqlite3"

	"lens/internal/lazyregexp"
)

// Copy writes the archive in from.Dir to to.Dir, under to's keys, and syncs it to disk. to.Dir must
// not hold an archive. Caches are not copied. Copy fails if the archive is open elsewhere, and keeps
// it from being opened meanwhile. It folds the log into the file first. After a failure, to.Dir does
// not hold a usable archive. Errors: not_found, unavailable (in use, disk full), invalid.
func Copy(ctx context.Context, from, to Options) error {
	src := &Store{dir: from.Dir}
	err := src.copyTo(ctx, from.Keys, to)
	return src.explain(ctx, "copy", err)
}

func (s *Store) copyTo(ctx context.Context, keys Keys, to Options) (err error) {
	if _, err := os.Stat(s.path()); err != nil {
		return err
	}
	if s.encryption, err = newEncryption(keys); err != nil {
		return err
	}
	defer s.encryption.close()
	dst := &Store{dir: to.Dir}
	if dst.encryption, err = newEncryption(to.Keys); err != nil {
		return err
	}
	defer dst.encryption.close()
	if err := makeFiles(dst.dir, dst.path()); err != nil {
		return err
	}
	if err := s.copyAlone(ctx, dst); err != nil {
		return err
	}
	if err := dst.check(ctx); err != nil {
		return err
	}
	return syncFile(dst.path())
}

// exclusivePragmas lock out every other user of the database.
const exclusivePragmas = `
	PRAGMA busy_timeout = 2000;
	PRAGMA locking_mode = EXCLUSIVE;
	PRAGMA journal_mode = DELETE;
	BEGIN EXCLUSIVE; COMMIT;
`

// copyAlone copies the database as its sole user: leaving WAL mode fails while it is open elsewhere.
func (s *Store) copyAlone(ctx context.Context, dst *Store) (err error) {
	c, err := openConn(ctx, s.location(), pragmas, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	if err := c.Exec(exclusivePragmas); err != nil {
		return err
	}
	if mode, err := c.text("PRAGMA journal_mode"); err != nil || mode != "delete" {
		return errors.Join(err, sqlite3.BUSY)
	}
	if dst.encryption != nil {
		if err := c.enableChecksums(); err != nil { // of the copy: the pages of this file stay unchanged
			return err
		}
	}
	c.SetInterrupt(ctx)
	return c.vacuumInto(dst)
}

// vacuumInto lets SQLite write every row, as of one commit, to the file of another store.
func (c *conn) vacuumInto(dst *Store) error {
	into := dst.location()
	if dst.encryption == nil {
		into = dst.location("vfs", "os") // otherwise the copy would use the source's file system
	}
	return c.Exec("VACUUM INTO " + sqlite3.Quote(into))
}

// check reads every page of a copy.
func (s *Store) check(ctx context.Context) (err error) {
	c, err := openConn(ctx, s.location(), pragmas, true)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	c.SetInterrupt(ctx)
	result, err := c.text("PRAGMA quick_check(1)")
	if err == nil && result != "ok" {
		err = fmt.Errorf("copy: %w", sqlite3.CORRUPT)
	}
	return err
}

// text runs a statement that returns one text.
func (c *conn) text(sql string) (result string, err error) {
	defer recoverPanic(&err)
	stmt, _, err := c.Prepare(sql)
	if err != nil {
		return "", err
	}
	defer stmt.Close()
	if stmt.Step() {
		result = stmt.ColumnText(0)
	}
	return result, stmt.Err()
}

func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// archiveNames matches the names of the files that this package creates, including the temporary files
// of interrupted writes.
const archiveNames = `^(` +
	`lens\.db(-wal|-shm|-journal)?|` +
	`lens\.lock|` +
	`lens\.writer|` +
	`sessions\.db(-journal)?|` +
	`(vectors(--?[0-9]+){3}|catalog-[0-9]+)\.idx(\.[0-9]+\.tmp)?|` +
	`probe-[0-9]+\.tmp` +
	`)$`

var archiveName = lazyregexp.New(archiveNames)

// IsArchiveFile reports whether a file with this name, in the folder of an archive, belongs to the archive.
func IsArchiveFile(name string) bool { return archiveName().MatchString(name) }

// Remove removes the archive in dir: its databases, locks and caches, and no other file.
func Remove(dir string) error {
	entries, failed := os.ReadDir(dir)
	for _, e := range entries {
		if IsArchiveFile(e.Name()) {
			failed = errors.Join(failed, os.Remove(filepath.Join(dir, e.Name())))
		}
	}
	return failed
}
