package ingest_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"lens/internal/errs"
	"lens/internal/testenv"
	"lens/store/ingest"
)

// cutZip is a zip of files that ends before its list, and some bytes before the end of the last one.
func cutZip(t testing.TB, before int, files ...[]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i, data := range files {
		w, err := z.Create([]string{"conversations.json", "more/conversations.json"}[i])
		testenv.Must(t, err)
		_, err = w.Write(data)
		testenv.Must(t, err)
	}
	testenv.Must(t, z.Close())
	return b.Bytes()[:bytes.Index(b.Bytes(), []byte("PK\x01\x02"))-before]
}

// A zip that is cut off is one error, that of the file where it ends, or one of its own where a file in it is broken
// for another reason.
func TestImport_CutZipWithABrokenFile(t *testing.T) {
	whole, err := json.Marshal(manyChats(40))
	testenv.Must(t, err)
	invalid := append(bytes.Clone(whole[:len(whole)/2]), "}]]"...)
	const cut = "the zip is incomplete or damaged"
	for name, c := range map[string]struct {
		before int
		files  [][]byte
		want   []string
	}{
		"cut in a file": {40, [][]byte{whole}, []string{"/conversations.json: " + cut + "; "}},
		"another is invalid": {
			40,
			[][]byte{invalid, whole},
			[]string{"/conversations.json: invalid JSON", "/more/conversations.json: " + cut + "; "},
		},
		"the list is missing": {
			0,
			[][]byte{invalid},
			[]string{": " + cut + ", and was read", "/conversations.json: invalid JSON"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "export.zip")
			writeFile(t, path, string(cutZip(t, c.before, c.files...)))
			r, err := ingest.Import(t.Context(), newArchive(t), []string{path}, ingest.Options{})
			var failure *errs.Error
			if !errors.As(err, &failure) || failure.Code != errs.Invalid || r.Check() != nil {
				t.Fatalf("got %v, %v", err, r.Check())
			}
			said := strings.Split(err.Error(), "\n")
			for i, want := range c.want {
				if len(said) != len(c.want) || !strings.Contains(said[i], "export.zip"+want) {
					t.Errorf("it says %q, want %q", said, c.want)
				}
			}
		})
	}
}
