package ingest_test

import (
	"os"
	"path/filepath"
	"testing"

	"lens/internal/demo"
	"lens/internal/testenv"
	"lens/store"
	"lens/store/ingest"
)

func importFile(t testing.TB, st store.Store, path string) *ingest.Receipt {
	t.Helper()
	r, err := ingest.Import(t.Context(), st, []string{path}, ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Check(); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestImport_RealExport(t *testing.T) {
	st := newArchive(t)
	path := testenv.Shared(t, "exports/real-2023/conversations.json")
	r := importFile(t, st, path)
	if r.Conversations.New != 192 || r.Messages.New != 1560 || r.Turns.Total-r.Turns.OffPath != 645 || r.Turns.OffPath != 2 {
		t.Errorf("receipt %+v", r)
	}
	if catalog, err := st.Catalog(t.Context()); err != nil || catalog.Len() != r.Turns.Total || len(catalog.Conversations) != 192 {
		t.Errorf("in the archive: %d turns of %d conversations, %v", catalog.Len(), len(catalog.Conversations), err)
	}
	if again := importFile(t, st, path); again.Changed() {
		t.Errorf("a second import: %+v", again)
	}
}

func TestImport_ModernExportAsJSONAndZip(t *testing.T) {
	fromJSON, fromZip := newArchive(t), newArchive(t)
	importFile(t, fromJSON, testenv.Shared(t, "exports/synthetic-modern/conversations.json"))
	zip := testenv.Shared(t, "exports/synthetic-modern/export.zip")
	r := importFile(t, fromZip, zip)
	if want := filepath.Join(zip, "conversations.json"); r.Files[0].Path != want {
		t.Errorf("the file is called %s, want %s", r.Files[0].Path, want)
	}
	if a, b := exportAll(t, fromJSON), exportAll(t, fromZip); a != b || a == "" {
		t.Errorf("%d bytes from JSON, %d from the zip", len(a), len(b))
	}
}

// largeExport returns the path of a scaled-up demo, whose bytes are what the benchmark handles.
func largeExport(b *testing.B) string {
	path := testenv.Demo(b, demo.Options{Turns: 30_000})
	info, err := os.Stat(path)
	testenv.Must(b, err)
	b.SetBytes(info.Size())
	return path
}

// BenchmarkImport imports a scaled-up demo into a new archive. The throughput is that of the JSON.
func BenchmarkImport(b *testing.B) {
	path := largeExport(b)
	b.ReportAllocs()
	for b.Loop() {
		importFile(b, newArchive(b), path)
	}
}

// BenchmarkImport_Unchanged imports the demo again: nothing changed.
func BenchmarkImport_Unchanged(b *testing.B) {
	path, st := largeExport(b), newArchive(b)
	importFile(b, st, path)
	b.ReportAllocs()
	for b.Loop() {
		importFile(b, st, path)
	}
}
