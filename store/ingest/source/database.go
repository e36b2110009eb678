package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/ncruces/go-sqlite3"
	"github.com/ncruces/go-sqlite3/vfs/readervfs"

	"lens/internal/errs"
)

// Database is a SQLite database that another program wrote. It is only read, and nothing in it is trusted: views,
// triggers and virtual tables are not looked at, a statement may only read tables, a column that an expression of the
// file makes is NULL, and values have a greatest size.
type Database struct {
	conn   *sqlite3.Conn
	name   string // for SQLite
	tables map[string][]string
	stored map[string]map[string]bool // the columns of each table that are not made as they are read
	files  []io.Closer
}

// Limits of a database, in bytes but for maxTables.
const (
	maxValue   = 256 << 20 // as of a conversation in a file
	maxSQL     = 1 << 20
	maxHeap    = 1 << 30
	maxTables  = 1000
	cacheKibis = 8 << 10
)

var databases atomic.Int64

// OpenDatabase opens a database of size bytes as its write-ahead log leaves it; wal is nil for none. Both must stay as
// they are until Close. Reading stops when ctx is done. Its errors are of type *errs.Error.
func OpenDatabase(ctx context.Context, main io.ReaderAt, size int64, wal io.ReaderAt, walSize int64) (
	d *Database, err error,
) {
	image, err := newWALImage(main, size, wal, walSize)
	if err != nil {
		return nil, databaseError(ctx, err)
	}
	d = &Database{
		name:   fmt.Sprintf("source-%d", databases.Add(1)),
		tables: map[string][]string{}, stored: map[string]map[string]bool{},
	}
	readervfs.Create(d.name, image)
	defer func() {
		if p := recover(); p != nil { // so the driver reports that memory is exhausted
			err = fmt.Errorf("%v", p)
		}
		if err != nil {
			err = errors.Join(databaseError(ctx, err), d.Close())
			d = nil
		}
	}()
	if d.conn, err = sqlite3.OpenFlags("file:"+d.name+"?vfs=reader", sqlite3.OPEN_READONLY|sqlite3.OPEN_URI); err != nil {
		return d, err
	}
	d.conn.SetInterrupt(ctx)
	if err := d.harden(); err != nil {
		return d, err
	}
	return d, d.list()
}

// harden makes the connection distrust the file.
func (d *Database) harden() error {
	d.conn.HardHeapLimit(maxHeap)
	d.conn.Limit(sqlite3.LIMIT_LENGTH, maxValue)
	d.conn.Limit(sqlite3.LIMIT_SQL_LENGTH, maxSQL)
	d.conn.Limit(sqlite3.LIMIT_ATTACHED, 0)
	for option, on := range map[sqlite3.DBConfig]bool{
		sqlite3.DBCONFIG_DEFENSIVE: true, sqlite3.DBCONFIG_TRUSTED_SCHEMA: false,
		sqlite3.DBCONFIG_ENABLE_VIEW: false, sqlite3.DBCONFIG_ENABLE_TRIGGER: false,
	} {
		if _, err := d.conn.Config(option, on); err != nil {
			return err
		}
	}
	err := d.conn.Exec(fmt.Sprintf("PRAGMA temp_store = memory; PRAGMA cell_size_check = on; PRAGMA cache_size = -%d",
		cacheKibis))
	if err != nil {
		return err
	}
	return d.conn.SetAuthorizer(d.authorize)
}

// authorize says what a statement may do. SQLite asks for functions of the statement, but not for those of the schema:
// a column that would be made of one is left unread.
func (d *Database) authorize(
	action sqlite3.AuthorizerActionCode, first, second, _, _ string,
) sqlite3.AuthorizerReturnCode {
	switch {
	case action == sqlite3.AUTH_SELECT, action == sqlite3.AUTH_PRAGMA && first == describe:
		return sqlite3.AUTH_OK
	case action != sqlite3.AUTH_READ:
		return sqlite3.AUTH_DENY
	case first == "sqlite_master", d.stored[first][second]:
		return sqlite3.AUTH_OK
	case d.stored[first] == nil:
		return sqlite3.AUTH_DENY
	}
	return sqlite3.AUTH_IGNORE // as NULL
}

// describe is the pragma that lists the columns of a table.
const describe = "table_xinfo"

// list notes the tables and their columns.
func (d *Database) list() error {
	var names []string
	for row, err := range d.rows("SELECT type, name, sql FROM sqlite_schema", nil) {
		if err != nil {
			return err
		}
		virtual := strings.HasPrefix(strings.ToUpper(strings.TrimSpace(row.Text(2))), "CREATE VIRTUAL")
		if row.Text(0) == "table" && !virtual && len(names) < maxTables {
			names = append(names, row.Text(1))
		}
	}
	for _, name := range names {
		if err := d.describe(name); err != nil {
			continue // a table of an extension
		}
		stmt, _, err := d.conn.Prepare("SELECT * FROM " + sqlite3.QuoteIdentifier(name) + " LIMIT 0")
		if err != nil {
			continue // the same
		}
		var columns []string
		for i := range stmt.ColumnCount() {
			columns = append(columns, stmt.ColumnName(i))
		}
		d.tables[name] = columns
		if err := stmt.Close(); err != nil {
			return err
		}
	}
	return nil
}

// describe notes the columns of a table.
func (d *Database) describe(table string) error {
	const name, hidden = 1, 6
	const made = 2 // the kind of a column that is made as it is read
	// As the authorizer calls no column, and the number of the row.
	stored := map[string]bool{"": true, "ROWID": true}
	for row, err := range d.rows("PRAGMA "+describe+"("+sqlite3.QuoteIdentifier(table)+")", nil) {
		if err != nil {
			return err
		}
		stored[row.Text(name)] = row.stmt.ColumnInt(hidden) != made
	}
	d.stored[table] = stored
	return nil
}

// Tables returns the columns of each table.
func (d *Database) Tables() map[string][]string { return d.tables }

// Columns returns those of the columns that a table has, and NULL for the others, to be selected: programs change their
// tables from release to release.
func (d *Database) Columns(table string, columns ...string) string {
	var all []string
	for _, column := range columns {
		if !slices.Contains(d.tables[table], column) {
			all = append(all, "NULL")
			continue
		}
		all = append(all, sqlite3.QuoteIdentifier(table)+"."+sqlite3.QuoteIdentifier(column))
	}
	return strings.Join(all, ", ")
}

// Row is a row of a result. It is valid until the next one.
type Row struct{ stmt *sqlite3.Stmt }

// Text returns a column as text; "" for NULL.
func (r Row) Text(column int) string { return r.stmt.ColumnText(column) }

// Bytes returns a copy of a column's bytes, text or not.
func (r Row) Bytes(column int) []byte { return r.stmt.ColumnBlob(column, nil) }

// Rows yields the rows of a SELECT whose parameters are texts. An error is a *errs.Error and the last value.
func (d *Database) Rows(sql string, parameters ...string) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for row, err := range d.rows(sql, parameters) {
			if err != nil {
				err = databaseError(d.conn.GetInterrupt(), err)
			}
			if !yield(row, err) {
				return
			}
		}
	}
}

func (d *Database) rows(sql string, parameters []string) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		stmt, _, err := d.conn.Prepare(sql)
		if err != nil {
			yield(Row{}, err)
			return
		}
		defer stmt.Close()
		for i, value := range parameters {
			if err := stmt.BindText(i+1, value); err != nil {
				yield(Row{}, err)
				return
			}
		}
		for stmt.Step() {
			if !yield(Row{stmt}, nil) {
				return
			}
		}
		if err := stmt.Err(); err != nil {
			yield(Row{}, err)
		}
	}
}

// Close closes the database.
func (d *Database) Close() error {
	readervfs.Delete(d.name)
	var all []error
	if d.conn != nil {
		all = append(all, d.conn.Close())
	}
	for _, f := range d.files {
		all = append(all, f.Close())
	}
	return errors.Join(all...)
}

// Own makes Close close files, too.
func (d *Database) Own(files ...io.Closer) { d.files = append(d.files, files...) }

// databaseError turns an error of SQLite into one with a reason and a hint for the user. It drops SQLite's message,
// which may quote the file.
func databaseError(ctx context.Context, err error) error {
	var known *errs.Error
	failed := &errs.Error{Code: errs.Invalid, Op: "source: read a database", Err: err}
	switch {
	case ctx.Err() != nil:
		failed.Code, failed.Message, failed.Err = errs.Unavailable, "canceled", ctx.Err()
	case errors.As(err, &known):
		return err
	case errors.Is(err, sqlite3.TOOBIG), errors.Is(err, sqlite3.NOMEM):
		failed.Code, failed.Message = errs.TooLarge, "a value in the database is larger than 256 MiB"
		failed.Hint = "check where the file came from; no chat grows that large"
	default:
		failed.Message = "the database is damaged, or was changed while it was copied"
		failed.Hint = "close the program that it belongs to, then import it again"
	}
	return failed
}
