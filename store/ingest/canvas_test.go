package ingest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"lens/internal/testenv"
	"lens/store/ingest"
)

// TestImport_CanvasBesideTheChats: a canvas is as the export has it, also where the same conversations come without
// that file before or afterward, as new as those.
func TestImport_CanvasBesideTheChats(t *testing.T) {
	chats := fmt.Sprintf(`[{"id":%q,"title":"Chat","update_time":9,"current_node":"r","mapping":{
		"q":{"message":{"id":"q","author":{"role":"user"},"content":{"content_type":"text","parts":["Write"]}}},
		"a":{"parent":"q","message":{"id":"a","author":{"role":"assistant"},"recipient":"canmore.create_textdoc",
			"content":{"content_type":"text","parts":["{\"name\":\"Draft\",\"content\":\"one\"}"]}}},
		"r":{"parent":"a","message":{"id":"r","author":{"role":"tool","name":"canmore.create_textdoc"},
			"metadata":{"canvas":{"textdoc_id":"td"}}}}}}]`, testID("chat"))
	write := func(textdoc string) string {
		dir := t.TempDir()
		testenv.Must(t, os.WriteFile(filepath.Join(dir, "conversations.json"), []byte(chats), 0o600))
		if textdoc != "" {
			testenv.Must(t, os.Mkdir(filepath.Join(dir, "textdocs"), 0o700))
			testenv.Must(t, os.WriteFile(filepath.Join(dir, "textdocs", "td.json"), []byte(textdoc), 0o600))
		}
		return dir
	}
	bare := write("")
	for i := range 4 { // versions as new as others are in the order of their hashes
		text := fmt.Sprint("text ", i)
		whole := write(fmt.Sprintf(`{"id":"td","content":%q}`, text))
		for _, paths := range [][]string{{whole}, {bare, whole}, {whole, bare}, {bare, whole, bare}} {
			st := newArchive(t)
			for _, path := range paths {
				r, err := ingest.Import(t.Context(), st, []string{path}, ingest.Options{})
				testenv.Must(t, err)
				testenv.Must(t, r.Check())
			}
			got := derivedDocuments(t, st)
			want := fmt.Sprintf(`chatgpt/canvas "Draft" of "Write": [%q]`, text)
			if !slices.Contains(got, want) {
				t.Errorf("%d imports: got %q, want %s", len(paths), got, want)
			}
		}
	}
}
