// Package sqlite keeps an archive in one folder, in one SQLite file: the default, which needs no server.
//
// What lies in the folder:
//
//	lens.db              the archive (with -wal and -shm beside it while it is open); the only thing that must not be lost
//	lens.lock            held by the process that writes
//	lens.writer          who that is, for the message that others get
//	vectors-*.idx        vector indexes: caches of what lens.db holds, made again when they are missing, older or damaged
//	catalog-*.idx        the catalog of a large archive: likewise
//
// The rules are:
//
//   - One connection writes, others read; in WAL mode neither waits for the other, and each read sees one commit.
//   - Statements are prepared once a connection and kept. All SQL stands in named queries in queries/*.sql.
//   - With Keys, all that tells of texts is encrypted: the database with its log and temporary files, and the caches. See Keys.
//   - Whatever a person can meet (disk full, read-only folder, a second writer, a damaged file, a newer schema) is a
//     *store.Error with a next step.
package sqlite

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ncruces/go-sqlite3/vfs/readervfs"

	"lens/migrations"
	"lens/store"
)

// Options says which archive to open and how. Only Dir is required.
type Options struct {
	Dir      string        // the folder; made, with its parents, when it is not there
	ReadOnly bool          // never write, not even to make or migrate the archive
	Verb     string        // what this process does ("import"): told to whoever must wait for it
	Wait     time.Duration // how long a writer waits for another; 0: 5 s
	Keys     Keys          // nil: the archive is not encrypted

	// Notice is told in a sentence what Open does besides that takes a while; nil: nobody is.
	Notice func(sentence string)
}

// Store is an archive in a folder.
type Store struct {
	dir        string
	readOnly   bool
	encryption *encryption // nil: not encrypted
	image      string      // what readervfs knows the archive by; "": it is a file
	notice     func(sentence string)
	terms      error // why the keyword index cannot be used

	readers pool
	writing chan struct{} // holds one token: who takes it may use writer
	writer  *conn
	lock    *writerLock

	purgePending bool // forgotten text is still in the log; for who holds writing's token

	catalog catalogCache
	dense   denseCache
	closed  sync.Once
	locked  atomic.Bool // why it is closed
}

var _ store.Store = (*Store)(nil)

// Open opens the archive in opts.Dir, makes it when there is none, migrates it to the present schema and indexes its keywords
// again where they were indexed by an older Lens.
// Errors: invalid (not an archive, or a newer one), unavailable (folder or file cannot be used, another process is writing),
// not_found (ReadOnly, and there is none).
func Open(ctx context.Context, opts Options) (*Store, error) {
	s := newStore(opts)
	var err error
	if s.encryption, err = newEncryption(opts.Keys); err != nil {
		return nil, err
	}
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

// newStore returns a Store that has opened nothing yet.
func newStore(opts Options) *Store {
	s := &Store{
		dir: opts.Dir, readOnly: opts.ReadOnly, notice: opts.Notice,
		writing: make(chan struct{}, 1),
		lock:    newWriterLock(opts.Dir, opts.Verb, opts.Wait),
		catalog: catalogCache{token: make(chan struct{}, 1)},
		dense:   denseCache{token: make(chan struct{}, 1)},
	}
	s.readers.open = s.openReader
	s.catalog.token <- struct{}{}
	s.dense.token <- struct{}{}
	return s
}

// begin opens the archive, or closes s.
func (s *Store) begin(ctx context.Context) error {
	err := s.prepare(ctx)
	s.writing <- struct{}{}
	if err == nil && !s.readOnly {
		err = s.reindex(ctx)
	}
	if err != nil {
		_ = s.Close() // what made it fail is the error that counts
		return s.explain(ctx, "open", err)
	}
	return nil
}

// path is the archive's file.
func (s *Store) path() string { return filepath.Join(s.dir, "lens.db") }

// prepare opens the first connection and makes sure that it leads to an archive of the present schema.
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
	if err := s.writer.Exec(writerPragmas); err != nil {
		return err
	}
	if version < migrations.Latest(migrations.SQLite) {
		if err := s.migrate(ctx); err != nil {
			return err
		}
	}
	if err := s.writer.checkTerms(); err != nil && !errors.Is(err, errOlderTerms) { // the first read makes the log
		return err
	}
	return restrictPermissions(s.path())
}

// migrate brings the archive to the present schema, alone.
func (s *Store) migrate(ctx context.Context) error {
	if err := s.lock.take(ctx); err != nil {
		return err
	}
	defer s.lock.releaseLater()
	return migrate(ctx, s.location())
}

// prepareReadOnly leaves the connection in the pool.
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
	if err == nil && version < migrations.Latest(migrations.SQLite) {
		err = errOlder
	}
	if err != nil {
		return err
	}
	switch err := c.checkTerms(); {
	case errors.Is(err, errOlderTerms), errors.Is(err, errNewerTerms):
		s.terms = err
		return nil
	default:
		return err
	}
}

// Close releases everything. Reads and the write that are still running end first.
func (s *Store) Close() error {
	var err error
	s.closed.Do(func() {
		<-s.writing // never given back: nobody writes any more
		close(s.writing)
		err = errors.Join(s.readers.close(), s.dense.close(), s.writer.Close(), s.lock.close())
		s.encryption.close()
		if s.image != "" {
			readervfs.Delete(s.image)
		}
	})
	return s.explain(context.Background(), "close", err)
}

// Lock closes the archive. What it is asked afterwards fails with locked.
func (s *Store) Lock() error {
	s.locked.Store(true)
	return s.Close()
}
