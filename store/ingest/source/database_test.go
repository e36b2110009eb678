package source

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ncruces/go-sqlite3"

	"lens/internal/errs"
	"lens/internal/testenv"
)

// made returns a database, and its write-ahead log as it is while the program that made it runs.
func made(tb testing.TB, statements ...string) (content, wal []byte) {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "made.db")
	conn, err := sqlite3.Open(path)
	testenv.Must(tb, err)
	for _, sql := range statements {
		testenv.Must(tb, conn.Exec(sql))
	}
	content, err = os.ReadFile(path)
	testenv.Must(tb, err)
	wal, _ = os.ReadFile(path + LogSuffix)
	testenv.Must(tb, conn.Close())
	return content, wal
}

func opened(content, wal []byte) (*Database, error) {
	return OpenDatabase(context.Background(), bytes.NewReader(content), int64(len(content)), bytes.NewReader(wal), int64(len(wal)))
}

// words returns the texts of a column, in order, or the error.
func words(d *Database, sql string, parameters ...string) string {
	var all []string
	for row, err := range d.Rows(sql, parameters...) {
		if err != nil {
			return "error: " + err.Error()
		}
		all = append(all, row.Text(0))
	}
	return strings.Join(all, " ")
}

const inLog = "PRAGMA journal_mode = wal; PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (a); INSERT INTO t VALUES ('one');"

// TestDatabase_Log reads what is in the log alone, as far as it is whole.
func TestDatabase_Log(t *testing.T) {
	content, wal := made(t, inLog, "INSERT INTO t VALUES ('two')")
	frame := frameHeader + int(binary.BigEndian.Uint32(wal[8:]))
	last := len(wal) - frame
	damaged := bytes.Clone(wal)
	damaged[last+frameHeader] ^= 1
	older := bytes.Clone(wal)
	older[last+8] ^= 1
	other := bytes.Clone(wal)
	binary.BigEndian.PutUint32(other[8:], 512)
	for name, c := range map[string]struct {
		wal  []byte
		want string
	}{
		"whole":                              {wal, "one two"},
		"cut within the last commit":         {wal[:len(wal)-7], "one"},
		"damaged in the last commit":         {damaged, "one"},
		"a frame of an earlier log":          {older, "one"},
		"none":                               {nil, "error"},
		"one that is no log":                 {[]byte(strings.Repeat("x", 4096)), "error"},
		"one of a database with other pages": {other, "error"},
	} {
		d, err := opened(content, c.wal)
		if err != nil {
			if c.want != "error" {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if got := words(d, "SELECT a FROM t"); got != c.want && !strings.HasPrefix(got, c.want+": ") {
			t.Errorf("%s: got %s", name, got)
		}
		testenv.Must(t, d.Close())
	}
}

// TestDatabase_CheckpointedLog has pages in the file and newer ones in the log.
func TestDatabase_CheckpointedLog(t *testing.T) {
	content, wal := made(t, inLog, "PRAGMA wal_checkpoint", "UPDATE t SET a = 'three'")
	d, err := opened(content, wal)
	testenv.Must(t, err)
	defer d.Close()
	if got := words(d, "SELECT a FROM t"); got != "three" {
		t.Errorf("got %s", got)
	}
}

// TestDatabase_TrustsNothing may neither write nor leave the tables of the file.
func TestDatabase_TrustsNothing(t *testing.T) {
	content, _ := made(t, "CREATE TABLE t (a, b); INSERT INTO t VALUES ('one', 2)",
		"CREATE VIEW v AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r",
		"CREATE TRIGGER g AFTER INSERT ON t BEGIN DELETE FROM t; END")
	d, err := opened(content, nil)
	testenv.Must(t, err)
	defer d.Close()
	if len(d.Tables()) != 1 || d.Columns("t", "b", "c") != `"t"."b", NULL` {
		t.Errorf("got %v, %s", d.Tables(), d.Columns("t", "b", "c"))
	}
	for _, sql := range []string{
		"INSERT INTO t VALUES (1, 2)", "SELECT n FROM v", "ATTACH 'x.db' AS x", "PRAGMA user_version = 3",
		"SELECT hex(zeroblob(999999999))", "SELECT load_extension('x')", "CREATE TABLE u (a)",
	} {
		if got := words(d, sql); !strings.HasPrefix(got, "error") {
			t.Errorf("%s: got %s", sql, got)
		}
	}
	if got := words(d, "SELECT a FROM t WHERE a = ?", "one"); got != "one" {
		t.Errorf("got %s", got)
	}
}

func TestDatabase_Damaged(t *testing.T) {
	content, _ := made(t, "CREATE TABLE t (a); INSERT INTO t SELECT hex(randomblob(3000)) FROM (VALUES (1), (2), (3))")
	page := bytes.Clone(content)
	for i := 4096; i < len(page); i++ {
		page[i] = 0xa5
	}
	schema := bytes.Clone(content)
	copy(schema[100:], strings.Repeat("\xff", 300))
	for name, data := range map[string][]byte{
		"cut": content[:5000], "a header alone": content[:100], "no page size": append([]byte(databaseMagic), 0, 3),
		"a page": page, "the schema": schema, "text": []byte("SQLite"),
	} {
		d, err := opened(data, nil)
		if err == nil {
			got := words(d, "SELECT a FROM t")
			testenv.Must(t, d.Close())
			if !strings.HasPrefix(got, "error") {
				t.Errorf("%s: got %.40s", name, got)
			}
			continue
		}
		if failed := errs.First(err); failed.Code != errs.Invalid || failed.Hint == "" || strings.Contains(failed.Message, "malformed") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDatabase_Canceled(t *testing.T) {
	content, _ := made(t, "CREATE TABLE t (a); INSERT INTO t VALUES (1)")
	ctx, cancel := context.WithCancel(t.Context())
	d, err := OpenDatabase(ctx, bytes.NewReader(content), int64(len(content)), nil, 0)
	testenv.Must(t, err)
	defer d.Close()
	cancel()
	if got := words(d, "SELECT a FROM t"); !strings.Contains(got, "canceled") {
		t.Errorf("got %s", got)
	}
}

// FuzzDatabase reads arbitrary bytes as a database and its log: an error says what a person can do.
func FuzzDatabase(f *testing.F) {
	content, wal := made(f, inLog, "PRAGMA wal_checkpoint", "UPDATE t SET a = 'three'")
	f.Add(content, wal)
	f.Add(content[:4096], []byte{})
	f.Fuzz(func(t *testing.T, content, wal []byte) {
		d, err := opened(content, wal)
		if err == nil {
			for table := range d.Tables() {
				for _, rowErr := range d.Rows("SELECT * FROM " + sqlite3.QuoteIdentifier(table)) {
					err = rowErr
				}
			}
			testenv.Must(t, d.Close())
		}
		if err != nil && errs.First(err).Hint == "" {
			t.Errorf("%v tells nothing to do", err)
		}
	})
}

// TestDatabase_GeneratedColumns: an expression of the file that makes a column would be evaluated as it is read,
// whatever a statement may call: this one would take 300 MB and minutes for each row.
func TestDatabase_GeneratedColumns(t *testing.T) {
	const bomb = "replace(hex(zeroblob(100000000)), '0', '00')"
	content, _ := made(t, "CREATE TABLE t (a, d AS (upper(a)) STORED); INSERT INTO t (a) VALUES ('one'), ('two');"+
		"CREATE TABLE u (a); INSERT INTO u VALUES (1); ALTER TABLE u ADD COLUMN ROWID AS ("+bomb+");"+
		"ALTER TABLE t ADD COLUMN b AS ("+bomb+"); ALTER TABLE t ADD COLUMN C GENERATED ALWAYS AS ("+bomb+") VIRTUAL")
	d, err := opened(content, nil)
	testenv.Must(t, err)
	defer d.Close()
	d.conn.Limit(sqlite3.LIMIT_LENGTH, 1<<20) // so that the bomb is an error
	for sql, want := range map[string]string{
		"SELECT b FROM t": " ", "SELECT c FROM t": " ", `SELECT "C" FROM t AS "T"`: " ", "SELECT d FROM t": "ONE TWO",
		"SELECT a FROM t WHERE b IS NULL": "one two", "SELECT a FROM t WHERE b = ?": "",
		"SELECT a FROM t ORDER BY c, b": "one two", "SELECT 1 FROM t": "1 1", "SELECT rowid FROM t": "1 2", "SELECT rowid FROM u": "", "SELECT " + d.Columns("t", "b") + " FROM t": " ",
	} {
		var parameters []string
		if strings.Contains(sql, "?") {
			parameters = []string{"x"}
		}
		if got := words(d, sql, parameters...); got != want {
			t.Errorf("%s: got %.60q", sql, got)
		}
	}
}

// TestDatabase_OnlyListedTables: a table of which the columns are not known is not read.
func TestDatabase_OnlyListedTables(t *testing.T) {
	var sql strings.Builder
	for i := range maxTables + 1 {
		fmt.Fprintf(&sql, "CREATE TABLE t%d (a AS (upper('x')), b);", i)
	}
	content, _ := made(t, sql.String()+fmt.Sprintf("INSERT INTO t%d (b) VALUES (1)", maxTables))
	d, err := opened(content, nil)
	testenv.Must(t, err)
	defer d.Close()
	if got := words(d, fmt.Sprintf("SELECT b FROM t%d", maxTables)); !strings.HasPrefix(got, "error") || len(d.Tables()) != maxTables {
		t.Errorf("got %s of %d tables", got, len(d.Tables()))
	}
}

// TestDatabase_OnlySelects: a statement does nothing but select columns.
func TestDatabase_OnlySelects(t *testing.T) {
	content, _ := made(t, "CREATE TABLE t (a); INSERT INTO t VALUES (1)")
	d, err := opened(content, nil)
	testenv.Must(t, err)
	defer d.Close()
	if got := words(d, "SELECT a FROM t"); got != "1" {
		t.Errorf("got %s", got)
	}
	for _, sql := range []string{
		"PRAGMA cache_size", "CREATE TEMP TABLE x (y)", "ATTACH ':memory:' AS other", "SELECT upper(a) FROM t",
	} {
		if got := words(d, sql); !strings.HasPrefix(got, "error: ") {
			t.Errorf("%s: got %q", sql, got)
		}
	}
}
