// Package sqlite keeps an archive in one directory, in one SQLite file. It is the default backend and
// needs no server.
//
// The directory holds:
//
//	lens.db              the archive (with -wal and -shm beside it while it is open); the only irreplaceable file
//	lens.lock            held by the process that writes
//	lens.writer          names that process, for the error that other writers get
//	vectors-*.idx        vector indexes: caches of lens.db, rebuilt when they are missing, older or damaged
//	catalog-*.idx        the catalog of a large archive: likewise a cache
//	sessions*.db         chats with the agent, in a database of their own: see Sessions
//
// The rules are:
//
//   - One connection writes, others read. In WAL mode neither waits for the other, and each read sees one commit.
//   - Each connection prepares a statement once and keeps it. All SQL is in named queries in queries/*.sql.
//   - With Keys, everything that reveals text is encrypted: the database with its log and temporary files, and
//     the caches. See Keys.
//   - Every failure that a user can cause or fix (full disk, read-only directory, second writer, damaged file,
//     newer schema) is a *errs.Error with a hint.
package sqlite

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ncruces/go-sqlite3/vfs/readervfs"
	"golang.org/x/sync/semaphore"

	"lens/migrations"
	"lens/store"
	"lens/store/failure"
	"lens/store/termindex"
	"lens/store/terms"
)

// Options says which archive to open and how. Only Dir is required.
type Options struct {
	Dir      string        // the directory; created, with its parents, if missing
	ReadOnly bool          // never write, not even to create or migrate the archive
	Verb     string        // what this process does ("import"), shown to writers that wait for it
	Wait     time.Duration // how long a writer waits for another one; 0: 5 s
	Keys     Keys          // nil: the archive is not encrypted

	// Notice receives a sentence about slow extra work of Open; may be nil.
	Notice func(sentence string)
}

// Store is an archive in a directory.
type Store struct {
	dir        string
	name       string // of the database file; "": lens.db
	readOnly   bool
	encryption *encryption // nil: not encrypted
	image      string      // the archive's name in readervfs; "": it is a file
	schema     int64       // the version of the schema that it needs
	newPage    int         // the size of its pages if it is made, in bytes
	notice     func(sentence string)
	terms      error // why the keyword index is unusable; nil: it is usable

	readers pool
	writing chan struct{} // holds one token; its holder may use writer
	writer  *conn
	lock    *writerLock
	builder termindex.Builder // of keyword segments

	purgePending bool     // forgotten text is still in the log; guarded by writing
	known        knownIDs // likewise

	files   cacheFiles
	catalog catalogCache
	dense   denseCache
	closed  sync.Once
	locked  atomic.Bool // whether Lock closed the store
}

var _ store.Store = (*Store)(nil)

// Open opens the archive in opts.Dir. It creates a missing archive, migrates an older one to the
// present schema, and rebuilds a keyword index that an older Lens made. Errors: invalid (not an
// archive, or a newer one), unavailable (directory or file unusable, another process is writing),
// not_found (ReadOnly, and there is no archive).
func Open(ctx context.Context, opts Options) (*Store, error) {
	s := newStore(opts)
	var err error
	if s.encryption, err = newEncryption(opts.Keys); err != nil {
		return nil, err
	}
	s.files.encryption = s.encryption
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

// newStore returns a Store that has not opened anything yet.
func newStore(opts Options) *Store {
	s := &Store{
		dir: opts.Dir, readOnly: opts.ReadOnly, notice: opts.Notice,
		schema:  migrations.Latest(migrations.SQLite),
		newPage: archivePage,
		files:   cacheFiles{dir: opts.Dir, readOnly: opts.ReadOnly},
		writing: make(chan struct{}, 1),
		lock:    newWriterLock(opts.Dir, opts.Verb, opts.Wait),
		catalog: catalogCache{loading: semaphore.NewWeighted(1)},
		dense:   denseCache{refreshing: semaphore.NewWeighted(1)},
	}
	s.readers.open = s.openReader
	return s
}

// begin opens the archive. It closes s on failure.
func (s *Store) begin(ctx context.Context) error {
	err := s.prepare(ctx)
	s.writing <- struct{}{}
	if err == nil && !s.readOnly {
		err = s.reindex(ctx)
	}
	if err != nil {
		_ = s.Close() // report the first error
		return s.explain(ctx, "open", err)
	}
	return nil
}

// path returns the path of the database file.
func (s *Store) path() string { return filepath.Join(s.dir, cmp.Or(s.name, "lens.db")) }

// prepare opens the first connection and checks that it leads to an archive with the schema that s needs.
func (s *Store) prepare(ctx context.Context) error {
	if s.readOnly {
		return s.prepareReadOnly(ctx)
	}
	if err := makeFiles(s.dir, s.path()); err != nil {
		return err
	}
	var err error
	if s.writer, err = openConn(ctx, s.location(), pragmas, false); err != nil {
		return err
	}
	version, err := s.writer.schemaVersion()
	if err != nil {
		return err
	}
	if s.encryption != nil && version == 0 {
		if err := s.writer.enableChecksums(); err != nil {
			return err
		}
	}
	if err := s.writer.beWriter(s.newPage); err != nil {
		return err
	}
	if version < s.schema {
		if err := s.migrate(ctx); err != nil {
			return err
		}
	}
	if err := s.writer.checkTerms(); err != nil && !errors.Is(err, terms.ErrOlder) { // the first read makes the log
		return err
	}
	return restrictPermissions(s.path())
}

// migrate upgrades the archive to the schema that s needs while it holds the writer lock.
func (s *Store) migrate(ctx context.Context) error {
	if err := s.lock.take(ctx); err != nil {
		return err
	}
	defer s.lock.releaseLater()
	size, err := s.databaseBytes() // a migration may write every row again
	if err == nil {
		err = s.needSpace("upgrading the archive", size)
	}
	if err != nil {
		return err
	}
	return migrate(ctx, s.location(), s.schema)
}

// prepareReadOnly does the same for a read-only archive and leaves the connection in the pool.
func (s *Store) prepareReadOnly(ctx context.Context) error {
	if _, err := os.Stat(s.path()); s.image == "" && err != nil {
		return err
	}
	c, err := s.readers.get(ctx)
	if err != nil {
		return err
	}
	defer s.readers.put(c)
	version, err := c.schemaVersion()
	if err == nil && version < s.schema {
		err = failure.ErrOlder
	}
	if err != nil {
		return err
	}
	switch err := c.checkTerms(); {
	case errors.Is(err, terms.ErrOlder), errors.Is(err, terms.ErrNewer):
		s.terms = err
		return nil
	default:
		return err
	}
}

// Close releases everything. It waits for running reads and for a running write.
func (s *Store) Close() error {
	var err error
	s.closed.Do(func() {
		<-s.writing // never returned: no more writes
		close(s.writing)
		err = errors.Join(s.readers.close(), s.dense.close(), s.writer.Close(), s.lock.close())
		s.encryption.close()
		if s.image != "" {
			readervfs.Delete(s.image)
		}
	})
	return s.explain(context.Background(), "close", err)
}

// Lock closes the archive. Later calls fail with CodeLocked.
func (s *Store) Lock() error {
	s.locked.Store(true)
	return s.Close()
}
