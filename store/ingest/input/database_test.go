package input

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ncruces/go-sqlite3"

	"lens/internal/errs"
	"lens/internal/testenv"
	"lens/store/ingest/source/sourcetest"
)

const webui = "CREATE TABLE chat (id TEXT, user_id TEXT, title TEXT, chat JSON);"

func chatRow(id string) string {
	return "INSERT INTO chat VALUES ('" + id + `', 'u', 'x', '{"history":{"messages":{"m":{"role":"user","content":"q ` + id + `"}}}}')`
}

// running makes a database in a folder that a program holds open, with the last chat in its log.
func running(t *testing.T, dir string) *sqlite3.Conn {
	t.Helper()
	conn, err := sqlite3.Open(filepath.Join(dir, "webui.db"))
	testenv.Must(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	testenv.Must(t, conn.Exec("PRAGMA journal_mode = wal; PRAGMA wal_autocheckpoint = 0;"+webui+chatRow("a")+"; PRAGMA wal_checkpoint; "+chatRow("b")))
	return conn
}

// questions returns the questions of all chats, in order, or the error.
func questions(t *testing.T, path string) string {
	t.Helper()
	e, err := Open(t.Context(), path, t.TempDir())
	if err != nil {
		return "error: " + errs.First(err).Message
	}
	defer e.Close()
	var all []string
	for i := range e.Files {
		r, err := e.Files[i].Open(t.Context())
		testenv.Must(t, err)
		for p, err := range e.Files[i].Format.Read(e.Files[i].Source(t.Context(), r)) {
			if err != nil {
				return "error: " + errs.First(err).Message
			}
			all = append(all, p.Turns[0].UserText)
		}
		testenv.Must(t, r.Close())
	}
	if seen := e.Unread.String(); seen != "" {
		all = append(all, "unread: "+seen)
	}
	for _, b := range e.Broken {
		all = append(all, "broken: "+b.Name)
	}
	return strings.Join(all, ", ")
}

// TestOpen_RunningDatabase reads what is in the log of a database, and leaves the folder as it is.
func TestOpen_RunningDatabase(t *testing.T) {
	dir := t.TempDir()
	conn := running(t, dir)
	before := stateOf(t, dir)
	for name, path := range map[string]string{"file": filepath.Join(dir, "webui.db"), "folder": dir} {
		if got := questions(t, path); got != "q a, q b" {
			t.Errorf("%s: got %s", name, got)
		}
	}
	if after := stateOf(t, dir); !slices.Equal(before, after) {
		t.Errorf("the folder has %v, had %v", after, before)
	}
	testenv.Must(t, conn.Exec(chatRow("c"))) // it is not locked
}

func stateOf(t *testing.T, dir string) (all []string) {
	t.Helper()
	files, err := os.ReadDir(dir)
	testenv.Must(t, err)
	for _, f := range files {
		info, err := f.Info()
		testenv.Must(t, err)
		content, err := os.ReadFile(filepath.Join(dir, f.Name()))
		testenv.Must(t, err)
		if strings.HasSuffix(f.Name(), "-shm") {
			content = nil
		}
		all = append(all, f.Name()+" "+info.ModTime().String()+" "+string(content))
	}
	return all
}

// TestOpen_PackedDatabase reads a database and its log from a zip.
func TestOpen_PackedDatabase(t *testing.T) {
	dir := t.TempDir()
	running(t, dir)
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range []string{"webui.db", "webui.db-wal"} {
		content, err := os.ReadFile(filepath.Join(dir, name))
		testenv.Must(t, err)
		w, err := z.Create("data/" + name)
		testenv.Must(t, err)
		_, err = w.Write(content)
		testenv.Must(t, err)
	}
	testenv.Must(t, z.Close())
	if got := questions(t, writeFile(t, "backup.zip", b.String())); got != "q a, q b" {
		t.Errorf("got %s", got)
	}
}

// TestFile_ChangedWhileCopied copies a database again that was written to meanwhile.
func TestFile_ChangedWhileCopied(t *testing.T) {
	dir := t.TempDir()
	conn := running(t, dir)
	e, err := Open(t.Context(), filepath.Join(dir, "webui.db"), t.TempDir())
	testenv.Must(t, err)
	defer e.Close()
	r, err := e.Files[0].Open(t.Context())
	testenv.Must(t, err)
	defer r.Close()
	writes := 0
	during := &reading{r: r, then: func() {
		writes++
		testenv.Must(t, conn.Exec(chatRow("c")+"; PRAGMA wal_checkpoint"))
	}}
	n := 0
	for _, err := range e.Files[0].Format.Read(e.Files[0].Source(t.Context(), during)) {
		testenv.Must(t, err)
		n++
	}
	if n != 3 || writes != 1 {
		t.Errorf("%d chats were read, after %d writes", n, writes)
	}
}

// reading calls then before the first read.
type reading struct {
	r    interface{ Read([]byte) (int, error) }
	then func()
}

func (r *reading) Read(p []byte) (int, error) {
	if r.then != nil {
		r.then()
		r.then = nil
	}
	return r.r.Read(p)
}

func TestOpen_OtherDatabases(t *testing.T) {
	good := sourcetest.Database(t, webui, chatRow("a"))
	other := sourcetest.Database(t, "CREATE TABLE moz_places (id); CREATE TABLE x (y)")
	damaged := good[:100] + strings.Repeat("\xff", len(good)-100)
	for name, c := range map[string]struct{ path, want string }{
		"another program's":   {writeFile(t, "places.sqlite", other), "error: unsupported database: SQLite with moz_places, x"},
		"a damaged one":       {writeFile(t, "webui.db", damaged), "error: the database is damaged, or was changed while it was copied"},
		"another's in folder": {writeFiles(t, file{name: "a.db", data: good}, file{name: "b.db", data: other}), "q a, unread: 1 .db"},
		"a damaged in folder": {writeFiles(t, file{name: "a.db", data: good}, file{name: "b.db", data: damaged}), "q a, broken: b.db"},
	} {
		if got := questions(t, c.path); got != c.want {
			t.Errorf("%s: got %s", name, got)
		}
	}
}

// TestOpen_SessionOfManyFiles reads messages with their session, and names those of which there is none.
func TestOpen_SessionOfManyFiles(t *testing.T) {
	files := []file{
		{name: "opencode/storage/message/ses_1/msg_1.json", data: `{"role":"user"}`},
		{name: "opencode/storage/part/msg_1/prt_1.json", data: `{"type":"text","text":"q"}`},
		{name: "opencode/storage/session/p/ses_1.json", data: `{"id":"ses_1","directory":"/x","time":{"created":1775030400000}}`},
	}
	for name, path := range map[string]string{
		"folder": writeFiles(t, files...), "zip": writeFile(t, "e.zip", zipped(t, files...)),
	} {
		if got := questions(t, path); got != "q" {
			t.Errorf("%s: got %s", name, got)
		}
	}
	without := writeFiles(t, append(files[:2:2], file{name: "a.json", data: gpt})...)
	if a, err := Open(t.Context(), without, ""); err != nil || a.Unread.String() != "2 .json" {
		t.Errorf("without the session: %v", err)
	} else {
		a.Close()
	}
	alone := questions(t, writeFile(t, "ses_1.json", files[2].data))
	if alone != "error: a session without its messages" {
		t.Errorf("a session alone: got %s", alone)
	}
}
