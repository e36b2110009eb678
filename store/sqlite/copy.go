package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"github.com/ncruces/go-sqlite3"
)

// Copy writes the archive in from.Dir anew into to.Dir, which must hold none, under to's keys, and has the disk keep it. Caches are not
// copied. Nobody else may have the archive open, and nobody can open it while it is copied; what was in its log is in its file
// afterwards. What Copy leaves when it fails is no archive. Errors: not_found, unavailable (somebody has it open, the disk is full), invalid.
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
	if err := s.vacuumInto(ctx, dst); err != nil {
		return err
	}
	if err := dst.check(ctx); err != nil {
		return err
	}
	return syncFile(dst.path())
}

// vacuumInto has SQLite write every row into another file. Alone with the database it gives up the log, which shows that it is alone.
func (s *Store) vacuumInto(ctx context.Context, dst *Store) (err error) {
	c, err := openConn(ctx, s.location(), pragmas, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	if err := c.Exec("PRAGMA busy_timeout = 2000; PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE; COMMIT"); err != nil {
		return err
	}
	if mode, err := c.text("PRAGMA journal_mode"); err != nil || mode != "delete" {
		return errors.Join(err, sqlite3.BUSY)
	}
	if dst.encryption != nil {
		if err := c.enableChecksums(); err != nil { // the copy: this file's pages stay as they are
			return err
		}
	}
	c.SetInterrupt(ctx)
	into := dst.location()
	if dst.encryption == nil {
		into = dst.location("vfs", "os") // else it would be the file system of what is copied
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

// text runs what yields one text.
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

// archiveNames are the names that this package gives to files, those of writers that were stopped included.
const archiveNames = `^(lens\.db(-wal|-shm|-journal)?|lens\.lock|lens\.writer|(vectors(--?[0-9]+){3}|catalog-[0-9]+)\.idx(\.[0-9]+\.tmp)?|probe-[0-9]+\.tmp)$`

// Remove removes the archive in dir: its database, locks and caches, and nothing else, however alike it is called.
func Remove(dir string) error {
	ours := regexp.MustCompile(archiveNames)
	entries, failed := os.ReadDir(dir)
	for _, e := range entries {
		if ours.MatchString(e.Name()) {
			failed = errors.Join(failed, os.Remove(filepath.Join(dir, e.Name())))
		}
	}
	return failed
}
