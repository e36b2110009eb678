package sqlite

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/ncruces/go-sqlite3"

	"lens/store"
)

// pragmas are those of every connection. A database is busy only for the moment of a checkpoint or a recovery.
const pragmas = `
	PRAGMA busy_timeout = 10000;
	PRAGMA temp_store = MEMORY;
	PRAGMA cache_size = -16384;
`

// The writer syncs at checkpoints only: a power cut may lose the last commits, each of them whole, and damages
// nothing. It overwrites everything that it deletes or replaces with zeros, immediately: an edited message or a
// merged keyword segment in free pages (as with FAST) could not be found when its conversation is forgotten. An
// import, which mostly adds, is not measurably slower for it. SQLite counts the pages of its cache when cache_size is
// set: before page_size it would keep four times the memory in a new archive.
const writerPragmas = pragmas + `
	PRAGMA page_size = %d;
	PRAGMA cache_size = -8192;
	PRAGMA journal_mode = WAL;
	PRAGMA synchronous = NORMAL;
	PRAGMA secure_delete = ON;
	PRAGMA journal_size_limit = 67108864;
`

// archivePage is the size of the pages of a new archive in bytes: many chats take less time and space in them than in
// smaller ones. An archive keeps the size that it was made with: that of an older Lens has pages of 8 KB.
const archivePage = 16 << 10

// maxLog is how many bytes of the log are folded into the file by the commit that reaches them.
const maxLog = 24000 * 8192

// beWriter applies writerPragmas. newPage is the size of the pages if the database is new.
func (c *conn) beWriter(newPage int) error {
	if err := c.Exec(fmt.Sprintf(writerPragmas, newPage)); err != nil {
		return err
	}
	page, err := c.pageSize()
	if err != nil {
		return err
	}
	return c.Exec(fmt.Sprintf("PRAGMA wal_autocheckpoint = %d", maxLog/page)) // SQLite counts pages
}

// pageSize returns the size of the pages of the database in bytes.
func (c *conn) pageSize() (int, error) {
	text, err := c.text("PRAGMA page_size")
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(text)
}

// chatPragmas are those of the writer once it has written a chat. Ids are random: each commit of many chats changes
// pages all over the indexes, which are written early and read again when they do not fit. The indexes of a document
// mostly fit, and its text needs the memory.
const chatPragmas = `PRAGMA cache_size = -16384;`

const readerPragmas = pragmas + `PRAGMA query_only = ON;`

// conn is one connection with its prepared statements. It is used by one goroutine at a time.
type conn struct {
	*sqlite3.Conn
	statements map[string]*sqlite3.Stmt
}

func openConn(ctx context.Context, path, pragmas string, readOnly bool) (*conn, error) {
	flags := sqlite3.OPEN_READWRITE
	if readOnly {
		flags = sqlite3.OPEN_READONLY
	}
	db, err := sqlite3.OpenFlags(path, flags|sqlite3.OPEN_URI)
	if err != nil {
		return nil, err
	}
	db.SetInterrupt(ctx)
	defer db.SetInterrupt(context.Background())
	if err := db.Exec(pragmas); err != nil {
		_ = db.Close()
		return nil, err
	}
	return &conn{Conn: db, statements: make(map[string]*sqlite3.Stmt)}, nil
}

// Close finalizes all statements and closes the connection. A nil conn is closed already.
func (c *conn) Close() error {
	if c == nil {
		return nil
	}
	for _, stmt := range c.statements {
		_ = stmt.Close()
	}
	return c.Conn.Close()
}

// statement returns the prepared statement of a named query. While that is in use further up the
// stack, it returns a second one. The caller must call release.
func (c *conn) statement(name string) (stmt *sqlite3.Stmt, release func() error, err error) {
	kept, ok := c.statements[name]
	if ok && !kept.Busy() {
		return kept, kept.Reset, nil
	}
	stmt, _, err = c.PrepareFlags(queries.Get(name), sqlite3.PREPARE_PERSISTENT)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	if ok {
		return stmt, stmt.Close, nil
	}
	c.statements[name] = stmt
	return stmt, stmt.Reset, nil
}

// Exec executes statements that return no rows.
func (c *conn) Exec(sql string) (err error) {
	defer recoverPanic(&err)
	return c.Conn.Exec(sql)
}

// run executes a named query that returns no rows.
func (c *conn) run(name string, args ...any) (err error) {
	defer recoverPanic(&err)
	stmt, release, err := c.statement(name)
	if err != nil {
		return err
	}
	if err := bind(stmt, args); err != nil {
		_ = release()
		return fmt.Errorf("%s: %w", name, err)
	}
	if err := stmt.Exec(); err != nil {
		_ = release()
		return fmt.Errorf("%s: %w", name, err)
	}
	return release()
}

// each runs a named query and calls scan for every row of its result.
func (c *conn) each(name string, args []any, scan func(row) error) (err error) {
	scanning := false
	defer func() {
		if p := recover(); p != nil && scanning && !outOfMemory(p) {
			panic(p) // scan itself panicked
		} else if p != nil {
			err = panicked(p)
		}
	}()
	stmt, release, err := c.statement(name)
	if err != nil {
		return err
	}
	defer func() {
		if failed := release(); err == nil && failed != nil {
			err = fmt.Errorf("%s: %w", name, failed)
		}
	}()
	if err := bind(stmt, args); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for stmt.Step() {
		scanning = true
		if err := scan(row{stmt}); err != nil {
			return err
		}
		scanning = false
	}
	if err := stmt.Err(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// collect returns what scan makes of each row of a named query.
func collect[T any](c *conn, scan func(row) T, name string, args ...any) (all []T, err error) {
	err = c.each(name, args, func(r row) error {
		all = append(all, scan(r))
		return nil
	})
	return all, err
}

// number runs a named query that returns one number; 0 if it returns no row.
func (c *conn) number(name string, args ...any) (n int64, err error) {
	err = c.each(name, args, func(r row) error {
		n = r.ColumnInt64(0)
		return nil
	})
	return n, err
}

// row is the current row of a running statement.
type row struct{ *sqlite3.Stmt }

func (r row) id(col int) (id uuid.UUID) {
	copy(id[:], r.ColumnRawBlob(col))
	return id
}

func (r row) firstID() uuid.UUID { return r.id(0) }

func (r row) hash(col int) (h store.Hash) {
	copy(h[:], r.ColumnRawBlob(col))
	return h
}

// hashes returns nil for an empty value.
func (r row) hashes(col int) store.Hashes { return append(store.Hashes(nil), r.ColumnRawBlob(col)...) }

// time returns the zero time for NULL.
func (r row) time(col int) time.Time {
	if r.null(col) {
		return time.Time{}
	}
	return store.FromMicros(r.ColumnInt64(col))
}

func (r row) null(col int) bool { return r.ColumnType(col) == sqlite3.NULL }
