package ingest_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lens/internal/errs"
	"lens/internal/testenv"
	"lens/store/ingest"
)

// archives make archives of files, by the extension that people give them.
var archives = map[string]func(testing.TB, map[string]string) string{
	".zip": func(t testing.TB, files map[string]string) string {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for _, name := range slices.Sorted(maps.Keys(files)) {
			w, err := z.Create(name)
			testenv.Must(t, err)
			_, err = io.WriteString(w, files[name])
			testenv.Must(t, err)
		}
		testenv.Must(t, z.Close())
		return b.String()
	},
	".tar": func(t testing.TB, files map[string]string) string {
		var b bytes.Buffer
		w := tar.NewWriter(&b)
		for _, name := range slices.Sorted(maps.Keys(files)) {
			testenv.Must(t, w.WriteHeader(&tar.Header{Name: name, Size: int64(len(files[name])), Mode: 0o600}))
			_, err := io.WriteString(w, files[name])
			testenv.Must(t, err)
		}
		testenv.Must(t, w.Close())
		return b.String()
	},
}

// TestImport_PackedDocuments: documents in an archive are not read, but are counted by kind, with the next step.
func TestImport_PackedDocuments(t *testing.T) {
	chats, err := json.Marshal([]chat{heron()})
	testenv.Must(t, err)
	files := map[string]string{"n/a.md": "text", "n/b.PDF": "%PDF", "n/c.docx": "PK", "n/d.md": "text", "n/e.epub": "PK"}
	for suffix, pack := range archives {
		t.Run(suffix, func(t *testing.T) {
			path, st := filepath.Join(t.TempDir(), "notes"+suffix), newArchive(t)
			writeFile(t, path, pack(t, files))
			for _, path := range []string{path, filepath.Dir(path)} {
				_, err := ingest.Import(t.Context(), st, []string{path}, ingest.Options{})
				first := errs.First(err)
				if !strings.HasSuffix(first.Message, ", but 2 .md, 1 .docx, 1 .epub and 1 .pdf") || !strings.HasPrefix(first.Hint, "unpack it") {
					t.Errorf("%s: %q, hint %q", filepath.Base(path), first.Message, first.Hint)
				}
			}

			with := maps.Clone(files)
			with["conversations.json"] = string(chats)
			writeFile(t, path, pack(t, with))
			put(t, filepath.Dir(path), "beside.txt", "text")
			for beside, path := range []string{path, filepath.Dir(path)} {
				r := imports(t, st, path, 0, ingest.Options{Version: path})
				if r.Packed != 4 || r.Documents != beside || r.UnreadKinds[".md"] != 2 || r.Turns.Total != 2 {
					t.Errorf("%s: %d packed, %d beside, kinds %v", filepath.Base(path), r.Packed, r.Documents, r.UnreadKinds)
				}
				found, err := ingest.Detect(t.Context(), []string{path}, ingest.Options{})
				testenv.Must(t, err)
				if found[0].Packed != 4 || found[0].Documents != beside {
					t.Errorf("detected: %+v", found[0])
				}
			}
		})
	}
}
