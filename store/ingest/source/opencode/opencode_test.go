package opencode

import (
	"errors"
	"io"
	"path"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"lens/internal/errs"
	"lens/store/ingest/chat"
	"lens/store/ingest/source"
	"lens/store/ingest/source/sourcetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const name = "storage/session/p1/ses_1.json"

// folder has files by their names.
type folder map[string]string

func (f folder) List(dir string) (all []string) {
	for _, name := range []string{"msg_1", "msg_2", "msg_3", "msg_4", "prt_0", "prt_1", "prt_2"} {
		if at := dir + "/" + name + ".json"; f[at] != "" {
			all = append(all, at)
		}
	}
	return all
}

func (f folder) Open(name string) (io.ReadCloser, error) {
	return io.NopCloser(strings.NewReader(f[path.Clean(name)])), nil
}

const sessionFile = `{"id":"ses_1","projectID":"p1","directory":"/home/ada","title":"Hives","time":{"created":1775030400000,"updated":1775030409000}}`

var files = folder{
	"storage/message/ses_1/msg_1.json": `{"id":"msg_1","role":"user","time":{"created":1775030401000},"summary":{"title":"x"}}`,
	"storage/message/ses_1/msg_2.json": `{"id":"msg_2","role":"assistant","time":{"created":1775030402000},"modelID":"claude-x"}`,
	"storage/message/ses_1/msg_3.json": `{"id":"msg_3","role":"assistant","time":{"created":1775030403000},"summary":true}`,
	"storage/message/ses_1/msg_4.json": `{`,
	"storage/part/msg_1/prt_0.json":    `{"id":"prt_0","type":"text","text":"the file that was named","synthetic":true}`,
	"storage/part/msg_1/prt_1.json":    `{"id":"prt_1","type":"text","text":"How many bees?"}`,
	"storage/part/msg_2/prt_0.json":    `{"id":"prt_0","type":"reasoning","text":"many"}`,
	"storage/part/msg_2/prt_1.json":    `{"id":"prt_1","type":"text","text":"Sixty thousand."}`,
	"storage/part/msg_2/prt_2.json":    `{"id":"prt_2","type":"tool","tool":"read","state":{"output":"secret"}}`,
	"storage/part/msg_3/prt_0.json":    `{"id":"prt_0","type":"text","text":"what was said before"}`,
}

func read(t *testing.T, session string, f source.Folder) (all []*chat.Parsed, errors []error) {
	t.Helper()
	for p, err := range Storage.Read(&source.File{Reader: strings.NewReader(session), Name: name, Folder: f}) {
		if err != nil {
			errors = append(errors, err)
			continue
		}
		if err := p.Check(); err != nil {
			t.Error(err)
		}
		all = append(all, p)
	}
	return all, errors
}

func TestStorage_Session(t *testing.T) {
	all, failed := read(t, sessionFile, files)
	if len(failed) > 0 || !sourcetest.Matches(t, &Storage, name, sessionFile) {
		t.Fatal(failed)
	}
	sourcetest.Equal(t, sourcetest.Outline(all), []string{
		"Hives", `2026-04-01T08:00:01Z "How many bees?" -> "Sixty thousand." by claude-x`,
	})
	if p := all[0]; p.SourceID != "ses_1" || p.Updated.Second() != 9 || p.Count.Skipped["unreadable message"] != 1 {
		t.Errorf("%s, updated %v, %v", p.SourceID, p.Updated, p.Count)
	}
	child := strings.Replace(sessionFile, `"title"`, `"parentID":"ses_0","title"`, 1)
	if all, _ := read(t, child, files); sourcetest.Turns(all) != " -> Sixty thousand." {
		t.Errorf("a subagent: got %s", sourcetest.Turns(all))
	}
}

func TestStorage_WithoutItsFolder(t *testing.T) {
	var failed *errs.Error
	if _, all := read(t, sessionFile, nil); len(all) != 1 || !errors.As(all[0], &failed) || !strings.Contains(failed.Hint, "storage") {
		t.Errorf("got %v", all)
	}
	var skip *chat.Skip
	if _, all := read(t, sessionFile, folder{}); len(all) != 1 || !errors.As(all[0], &skip) || skip.Reason != "no messages" {
		t.Errorf("got %v", all)
	}
}

func TestStorage_Companions(t *testing.T) {
	for name, want := range map[string]bool{
		"storage/message/ses_1/msg_1.json": true, "part/msg_1/prt_1.json": true, name: false,
		"storage/part/prt_1.json": false, "storage/session_diff/ses_1.json": false, "message/ses_1/notes.txt": false,
	} {
		if Storage.Companion(name) != want {
			t.Errorf("%s: want %v", name, want)
		}
	}
}

const tables = "CREATE TABLE session (id TEXT, title TEXT, parent_id TEXT, directory TEXT, time_created INTEGER, time_updated INTEGER);" +
	"CREATE TABLE message (id TEXT, session_id TEXT, time_created INTEGER, data TEXT);" +
	"CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, data TEXT);" +
	"INSERT INTO session VALUES ('ses_1', 'Hives', NULL, '/x', 1775030400000, 1775030409000), ('ses_2', 'Empty', NULL, '/x', 1, 2);"

// rows are the same session as in files.
func rows(tb testing.TB) string {
	tb.Helper()
	all := []string{tables}
	for at, data := range files {
		id := strings.TrimSuffix(path.Base(at), ".json")
		if strings.Contains(at, "/part/") {
			all = append(all, "INSERT INTO part VALUES ('"+id+"', '"+path.Base(path.Dir(at))+"', 'ses_1', "+sourcetest.Quoted(data)+")")
		} else {
			all = append(all, "INSERT INTO message VALUES ('"+id+"', 'ses_1', NULL, "+sourcetest.Quoted(data)+")")
		}
	}
	return sourcetest.Database(tb, all...)
}

// TestDatabase_SameAsStorage has the same messages with the same ids.
func TestDatabase_SameAsStorage(t *testing.T) {
	data := rows(t)
	if !sourcetest.Matches(t, &Database, "opencode.db", data) {
		t.Error("the database does not match")
	}
	stored, _ := read(t, sessionFile, files)
	all, skipped := sourcetest.Parse(t, &Database, "opencode.db", data)
	sourcetest.Equal(t, sourcetest.Outline(all), sourcetest.Outline(stored))
	sourcetest.Equal(t, skipped, []string{"no messages"})
	if all[0].Hash != stored[0].Hash {
		t.Error("the conversations differ")
	}
}

func TestFormats_MatchNothingElse(t *testing.T) {
	sourcetest.NoOther(t, &Storage, "opencode_storage")
	sourcetest.NoOther(t, &Database)
	for _, data := range []string{`{"id":"ses_1","title":"x"}`, `{"id":"x","directory":"/","time":{}}`, `[{"id":"ses_1"}]`} {
		if sourcetest.Matches(t, &Storage, "a.json", data) {
			t.Errorf("%s matches", data)
		}
	}
}

func FuzzDatabase(f *testing.F) {
	sourcetest.FuzzValue(f, &Database, func(tb testing.TB, value string) string {
		return sourcetest.Database(tb, tables, "INSERT INTO message VALUES ('m', 'ses_1', NULL, "+sourcetest.Quoted(value)+")",
			"INSERT INTO part VALUES ('p', 'm', 'ses_1', "+sourcetest.Quoted(value)+")")
	}, `{"role":"user","type":"text","text":"x"}`, `{"role":"assistant","summary":true,"type":"tool"}`)
}

func FuzzStorage(f *testing.F) {
	f.Add(sessionFile, `{"role":"user"}`, `{"type":"text","text":"x"}`)
	f.Fuzz(func(t *testing.T, session, message, part string) {
		read(t, session, folder{"storage/message/ses_1/msg_1.json": message, "storage/part/msg_1/prt_1.json": part})
	})
}
