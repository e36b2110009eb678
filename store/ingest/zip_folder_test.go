package ingest_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lens/internal/errs"
	"lens/store/ingest"
)

// zipOf returns chats as the zip that a chat service sends.
func zipOf(t testing.TB, chats []chat) []byte {
	t.Helper()
	raw, err := json.Marshal(chats)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create("conversations.json")
	if err == nil {
		_, err = w.Write(raw)
	}
	if err = errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestImport_DamagedZipInFolder(t *testing.T) {
	dir, whole := t.TempDir(), zipOf(t, []chat{heron()})
	good, bad := filepath.Join(dir, "export.zip"), filepath.Join(dir, "other.zip")
	if err := errors.Join(os.WriteFile(good, whole, 0o600), os.WriteFile(bad, whole[:60], 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, dry := range []bool{true, false} {
		st := newArchive(t)
		r, err := ingest.Import(t.Context(), st, []string{dir}, ingest.Options{DryRun: dry})
		var failure *errs.Error
		if !errors.As(err, &failure) || failure.Code != errs.Invalid || failure.Hint == "" ||
			!strings.HasPrefix(failure.Message, "cannot import "+bad+"/conversations.json: the zip is incomplete") {
			t.Errorf("got %v", err)
		}
		if r.Check() != nil || r.Conversations != (ingest.Changes{New: 1}) || dry != (exportAll(t, st) == "") {
			t.Errorf("receipt %+v", r)
		}
	}
}
