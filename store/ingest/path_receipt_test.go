package ingest_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"

	"lens/internal/errs"
	"lens/internal/testenv"
	"lens/store/ingest"
)

// silent has no message of a user, so no turn comes of it.
func silent() map[string]any {
	return map[string]any{
		"id": testID("silent").String(), "title": "Silent", "create_time": 1.7e9, "update_time": 1.7e9,
		"mapping": map[string]any{"a": map[string]any{"id": "a", "message": map[string]any{
			"id": testID("s1").String(), "author": map[string]any{"role": "system"}, "create_time": 1.7e9,
			"content": map[string]any{"content_type": "text", "parts": []string{"Be kind."}},
		}}},
	}
}

func asJSON(t testing.TB, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	testenv.Must(t, err)
	return string(raw)
}

func TestImport_NothingInAPath(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		path  string // in the folder of files
		want  string
	}{
		"an empty list":         {map[string]string{"a.json": "[]"}, "a.json", "there is nothing in it to import"},
		"no message of a user":  {map[string]string{"a.json": asJSON(t, []any{silent()})}, "a.json", "1 conversation with 1 message, but no question"},
		"chats without mapping": {map[string]string{"a.json": `[{"id":"x","title":"y","create_time":1},null]`}, "a.json", "1 conversation skipped (no mapping); 1 conversation skipped (null)"},
		"lines without id": {
			map[string]string{"a.jsonl": "{\"text\":\"a\"}\n{\"text\":\"b\"}\n{\n"},
			"a.jsonl",
			"2 records skipped (record without id); 1 record skipped (line that is not JSON)",
		},
		"lines of something else":      {map[string]string{"a.jsonl": "{\"level\":1}\n{\"level\":2}\n"}, "a.jsonl", `JSON with the key "level"`},
		"a folder of such lines":       {map[string]string{"x/a.jsonl": "{\"level\":1}\n"}, "x", "no export and no documents, but 1 .jsonl"},
		"documents without text":       {map[string]string{"x/a.md": "", "x/b.csv": "1"}, "x", "1 document skipped (without text); 1 .csv not read"},
		"a table":                      {map[string]string{"a.csv": "1,2"}, "a.csv", "Lens does not read .csv files"},
		"kinds that are not read":      {map[string]string{"x/a.epub": "PK", "x/b.odt": "PK", "x/c.epub": "PK"}, "x", "but 2 .epub and 1 .odt"},
		"an export without any reader": {map[string]string{"a.json": `{"quest":"a","reply":"b"}`}, "a.json", `unsupported export format: JSON with the keys "quest", "reply"`},
	} {
		t.Run(name, func(t *testing.T) {
			dir, st := folderOf(t, c.files), newArchive(t)
			at := filepath.Join(dir, c.path)
			const known = "; found by an earlier import, and not tried again"
			for _, paths := range [][]string{{at}, {at}, {at, writeExport(t, []chat{heron()})}} {
				r, err := ingest.Import(t.Context(), st, paths, ingest.Options{})
				var failed *errs.Error
				if !errors.As(err, &failed) || failed.Hint == "" || !strings.HasPrefix(failed.Message, "cannot import "+at+": ") ||
					!strings.HasSuffix(strings.Replace(failed.Message, known, "", 1), c.want) {
					t.Errorf("got %v", err)
				}
				if err := r.Check(); err != nil || r.Paths[0].Error != failed.Message || r.Paths[0].Turns != 0 {
					t.Errorf("receipt %+v, %v", r.Paths, err)
				}
				if len(paths) == 2 && (r.Paths[1].Error != "" || r.Paths[1].Turns != 2 || r.Turns.New != 2) {
					t.Errorf("the other path: %+v", r.Paths[1])
				}
			}
			if _, err := ingest.Import(t.Context(), nil, []string{at}, ingest.Options{DryRun: true}); errs.CodeOf(err) != errs.NotFound {
				t.Errorf("a dry run says %v", err)
			}
		})
	}
}

func TestImport_AllForgottenIsNoError(t *testing.T) {
	st := newArchive(t)
	path := writeExport(t, []chat{heron()})
	importFile(t, st, path)
	_, err := ingest.Forget(t.Context(), st, ingest.ForgetOptions{Conversations: []uuid.UUID{testID("heron")}})
	testenv.Must(t, err)
	r := importFile(t, st, path)
	if r.Paths[0] != (ingest.PathReceipt{Path: path, Forgotten: 1}) || r.Skipped["forgotten"] != 5 || len(r.Skipped) != 2 {
		t.Errorf("paths %+v, skipped %v", r.Paths, r.Skipped)
	}
}

func TestImport_UnchangedDocumentsAreSomething(t *testing.T) {
	dir, st := folderOf(t, map[string]string{"a.md": "text", "b.epub": "PK"}), newArchive(t)
	for range 2 {
		r := importingFolder(t, st, dir, ingest.Options{})
		if r.Paths[0] != (ingest.PathReceipt{Path: dir, Turns: 1}) || len(r.UnreadKinds) != 1 || r.UnreadKinds[".epub"] != 1 {
			t.Errorf("paths %+v, kinds %v", r.Paths, r.UnreadKinds)
		}
	}
	testenv.Must(t, os.Remove(filepath.Join(dir, "a.md")))
	put(t, dir, "c.md", "")
	if _, err := ingest.Import(t.Context(), st, []string{dir}, ingest.Options{}); errs.CodeOf(err) != errs.NotFound {
		t.Errorf("only one that is gone and one without text: %v", err)
	}
}

func TestImport_BrokenZipBesideDocuments(t *testing.T) {
	dir, st := folderOf(t, map[string]string{"a.md": "text", "b.zip": "PK\x03\x04 and no more"}), newArchive(t)
	r, err := ingest.Import(t.Context(), st, []string{dir}, ingest.Options{})
	if errs.CodeOf(err) != errs.Invalid || r.Conversations.New != 1 || r.Paths[0].Error == "" {
		t.Errorf("%+v, %v", r, err)
	}
}
