package sqlite

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"

	"github.com/google/uuid"
	"github.com/ncruces/go-sqlite3"

	"lens/internal/errs"
	"lens/store"
	"lens/store/failure"
)

// Sessions is a database of chats with the agent, in a file beside an archive and encrypted like it. It has one
// connection and is opened for one operation: what is open needs no closing when the archive is locked or moves.
//
// It has a rollback journal and no log: between two operations there is one file, which is complete.
type Sessions struct {
	file *Store // names the file and explains errors
	conn *conn
}

var _ store.Sessions = (*Sessions)(nil)

// sessionsPragmas are those of the connection. What is removed is overwritten with zeros.
const sessionsPragmas = pragmas + `
	PRAGMA journal_mode = DELETE;
	PRAGMA synchronous = FULL;
	PRAGMA secure_delete = ON;
	PRAGMA foreign_keys = ON;
`

// sessionsSchema is version 1. The content comes last, so that lists do not read it.
const sessionsSchema = `
	CREATE TABLE sessions (
		key         INTEGER PRIMARY KEY,
		id          BLOB NOT NULL UNIQUE,
		name        TEXT NOT NULL,
		created     INTEGER NOT NULL,
		updated     INTEGER NOT NULL,
		pinned      INTEGER NOT NULL,
		archived    INTEGER NOT NULL,
		exchanges   INTEGER NOT NULL,
		conclusions INTEGER NOT NULL,
		content     BLOB NOT NULL
	);
	CREATE INDEX sessions_by_time ON sessions (archived, updated, id);
	CREATE INDEX sessions_by_pin ON sessions (archived, pinned, updated, id);
	CREATE INDEX sessions_concluded ON sessions (created, id) WHERE conclusions > 0;
	CREATE TABLE session_citations (
		turn    BLOB NOT NULL,
		session INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
		PRIMARY KEY (turn, session)
	) WITHOUT ROWID;
	CREATE INDEX session_citations_by_session ON session_citations (session);
	PRAGMA user_version = 1;
`

const sessionsVersion = 1

// OpenSessions opens the sessions in the file name in opts.Dir, with opts.Keys. It creates them if create is set.
// Errors: not_found without create; invalid (another program's file, or a newer Lens's), unavailable.
func OpenSessions(ctx context.Context, opts Options, name string, create bool) (*Sessions, error) {
	s := &Sessions{file: &Store{dir: opts.Dir, name: name}}
	err := s.open(ctx, opts.Keys, create)
	if err != nil {
		_ = s.Close() // report the first error
		return nil, s.explain(ctx, "open", err)
	}
	return s, nil
}

func (s *Sessions) open(ctx context.Context, keys Keys, create bool) (err error) {
	path := s.file.path()
	if create {
		if err := makeFiles(s.file.dir, path); err != nil {
			return err
		}
	} else if info, err := os.Stat(path); err != nil {
		return err
	} else if info.Size() == 0 { // being created
		return &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	if s.file.encryption, err = newEncryption(keys); err != nil {
		return err
	}
	if s.conn, err = openConn(ctx, s.file.location(), sessionsPragmas, false); err != nil {
		return err
	}
	version, err := s.conn.number("SessionsVersion")
	switch {
	case err != nil:
		return err
	case version > sessionsVersion:
		return failure.ErrNewer
	case version == sessionsVersion:
		return nil
	}
	return s.create(ctx)
}

// create makes the tables, unless another process has just done that.
func (s *Sessions) create(ctx context.Context) error {
	if s.file.encryption != nil {
		if err := s.conn.enableChecksums(); err != nil {
			return err
		}
	}
	return s.conn.inTransaction(ctx, "BeginImmediate", func(c *conn) error {
		switch tables, err := c.number("CountTables"); {
		case err != nil:
			return err
		case tables == 0:
			return c.Exec(sessionsSchema)
		}
		if version, err := c.number("SessionsVersion"); err != nil || version != sessionsVersion {
			return errors.Join(err, errForeignDatabase)
		}
		return nil
	})
}

// Close implements store.Sessions.
func (s *Sessions) Close() error {
	err := s.conn.Close()
	s.file.encryption.close()
	return s.explain(context.Background(), "close", err)
}

// Session implements store.Sessions.
func (s *Sessions) Session(ctx context.Context, id uuid.UUID) (found store.Session, err error) {
	err = s.read(ctx, "read", func(c *conn) error {
		found, err = c.session(id)
		return err
	})
	return found, err
}

// List implements store.Sessions.
func (s *Sessions) List(ctx context.Context, page store.SessionPage) (all []store.Session, err error) {
	updated, id := int64(endOfTime), []byte{0xff} // after all of them
	if page.After != nil {
		updated, id = store.Micros(page.After.Updated), page.After.ID[:]
	}
	name, args := "ListSessions", []any{page.Archived, updated, id, page.Limit}
	if page.Pinned != nil {
		name, args = "ListPinnedSessions", []any{page.Archived, *page.Pinned, updated, id, page.Limit}
	}
	err = s.read(ctx, "list", func(c *conn) error {
		all, err = collect(c, row.session, name, args...)
		return err
	})
	return all, err
}

// endOfTime is after every time that is stored.
const endOfTime = 1<<63 - 1

// Concluded implements store.Sessions.
func (s *Sessions) Concluded(ctx context.Context) (all []store.Session, err error) {
	err = s.read(ctx, "read conclusions", func(c *conn) error {
		all, err = collect(c, row.wholeSession, "ConcludedSessions")
		return err
	})
	return all, err
}

// Update implements store.Sessions.
func (s *Sessions) Update(ctx context.Context, fn func(store.SessionsTx) error) error {
	t := &sessionsTx{}
	err := s.conn.inTransaction(ctx, "BeginImmediate", func(c *conn) error {
		t.conn = c
		return fn(t)
	})
	if err == nil && t.wiped {
		s.purge()
	}
	return s.explain(ctx, "update", err)
}

// purge rewrites the file: a page may keep pieces of a removed chat behind rows that moved. The chat is removed in any
// case, so this does not make removing fail.
func (s *Sessions) purge() { _ = s.conn.Exec("PRAGMA temp_store = MEMORY; VACUUM") }

// read runs fn in a read transaction.
func (s *Sessions) read(ctx context.Context, op string, fn func(*conn) error) error {
	return s.explain(ctx, op, s.conn.inTransaction(ctx, "Begin", fn))
}

// explain is Store.explain for a file that is not the archive.
func (s *Sessions) explain(ctx context.Context, op string, err error) error {
	interrupted := func(err error) bool { return errors.Is(err, sqlite3.INTERRUPT) }
	return failure.Explain(ctx, "sqlite: "+op+" chats", err, interrupted, s.diagnose)
}

func (s *Sessions) diagnose(err error) *errs.Error {
	path := s.file.path()
	switch {
	case errors.Is(err, failure.ErrNewer):
		return failure.New(errs.Invalid, "the saved chats were made by a newer Lens", "update Lens")
	case errors.Is(err, fs.ErrNotExist):
		return failure.New(errs.NotFound, "there are no saved chats", "")
	case errors.Is(err, errForeignDatabase), errors.Is(err, sqlite3.NOTADB) && s.file.encryption == nil:
		return failure.New(errs.Invalid, path+" does not hold chats", "move it away")
	case errors.Is(err, sqlite3.NOTADB), errors.Is(err, sqlite3.CORRUPT), errors.Is(err, sqlite3.IOERR_DATA):
		return failure.New(
			errs.Unavailable, "the saved chats are damaged",
			"restore "+path+" from a backup, or move it away to continue without them",
		)
	case errors.Is(err, sqlite3.BUSY), errors.Is(err, sqlite3.LOCKED):
		return failure.New(
			errs.Unavailable, "another program is using the saved chats", "close that program and try again",
		)
	}
	return s.file.diagnose(err)
}

// sessionsTx implements store.SessionsTx.
type sessionsTx struct {
	*conn
	wiped bool // a chat was removed, and its text must leave the file too
}

func (t *sessionsTx) Session(_ context.Context, id uuid.UUID) (store.Session, error) {
	return t.session(id)
}

func (c *conn) session(id uuid.UUID) (store.Session, error) {
	found, err := collect(c, row.wholeSession, "Session", id)
	if err == nil && len(found) == 0 {
		err = &errs.Error{Code: errs.NotFound, Op: "sqlite: read chat", Message: "no session has this ID"}
	}
	if err != nil {
		return store.Session{}, err
	}
	return found[0], nil
}

func (t *sessionsTx) Put(_ context.Context, s store.Session) error {
	err := t.run(
		"PutSession", s.ID, s.Name, store.Micros(s.Created), store.Micros(s.Updated), s.Pinned, s.Archived, s.Exchanges,
		s.Conclusions, s.Content,
	)
	if err == nil {
		err = t.run("DropSessionCitations", s.ID)
	}
	for _, turn := range s.Cited {
		if err == nil {
			err = t.run("AddSessionCitation", turn, s.ID)
		}
	}
	return err
}

func (t *sessionsTx) CitedTurns(context.Context) ([]uuid.UUID, error) {
	return collect(t.conn, row.firstID, "CitedTurns")
}

func (t *sessionsTx) RemoveCiting(_ context.Context, turns []uuid.UUID) (removed int, err error) {
	for _, turn := range turns {
		citing, err := collect(t.conn, row.firstID, "SessionsCiting", turn)
		if err != nil {
			return removed, err
		}
		for _, id := range citing {
			if err := t.run("RemoveSession", id); err != nil {
				return removed, err
			}
		}
		removed += len(citing)
	}
	t.wiped = t.wiped || removed > 0
	return removed, nil
}

func (t *sessionsTx) Clear(context.Context) (removed int, err error) {
	t.wiped = true
	if err := t.run("ClearSessionCitations"); err != nil {
		return 0, err
	}
	err = t.run("ClearSessions")
	return int(t.Changes()), err
}

// session reads a session without its content.
func (r row) session() store.Session {
	moment := func(col int) time.Time { return store.FromMicros(r.ColumnInt64(col)) }
	return store.Session{
		ID: r.id(0), Name: r.ColumnText(1), Created: moment(2), Updated: moment(3), Pinned: r.ColumnBool(4),
		Archived: r.ColumnBool(5), Exchanges: r.ColumnInt(6), Conclusions: r.ColumnInt(7),
	}
}

func (r row) wholeSession() store.Session {
	s := r.session()
	s.Content = append([]byte(nil), r.ColumnRawBlob(8)...)
	return s
}

// CopySessions writes the sessions in the file name in from.Dir to the file as in to.Dir, under to's keys, and syncs
// them to disk. It copies one commit, also while other processes write; that is how to back sessions up. There must be
// no such file in to.Dir. After a failure, there is no usable one. Errors: not_found, unavailable (disk full), invalid.
func CopySessions(ctx context.Context, from Options, name string, to Options, as string) error {
	src, err := OpenSessions(ctx, from, name, false)
	if err != nil {
		return err
	}
	dst := &Store{dir: to.Dir, name: as}
	err = src.copyTo(ctx, dst, to.Keys)
	return errors.Join(src.explain(ctx, "copy", err), src.Close())
}

// VerifySessions reads every page of the sessions in the file name in opts.Dir. Errors: as OpenSessions.
func VerifySessions(ctx context.Context, opts Options, name string) error {
	s, err := OpenSessions(ctx, opts, name, false)
	if err != nil {
		return err
	}
	return errors.Join(s.explain(ctx, "check", s.file.check(ctx)), s.Close())
}

func (s *Sessions) copyTo(ctx context.Context, dst *Store, keys Keys) (err error) {
	if dst.encryption, err = newEncryption(keys); err != nil {
		return err
	}
	defer dst.encryption.close()
	if err := makeFiles(dst.dir, dst.path()); err != nil {
		return err
	}
	if dst.encryption != nil {
		if err := s.conn.enableChecksums(); err != nil { // of the copy: the pages of this file stay unchanged
			return err
		}
	}
	s.conn.SetInterrupt(ctx)
	defer s.conn.SetInterrupt(context.Background())
	if err := s.conn.vacuumInto(dst); err != nil {
		return err
	}
	if err := dst.check(ctx); err != nil {
		return err
	}
	return syncFile(dst.path())
}
