package ingest_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"lens/internal/demo"
	"lens/store"
	"lens/store/ingest"
)

// sharedExport returns the path of an export beside the repository, and skips the test if it does not exist.
func sharedExport(t testing.TB, name string) string {
	t.Helper()
	path := filepath.Join("..", "..", "..", "shared", "data", "exports", filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		t.Skipf("SKIPPED: %s is not beside the repository", name)
	}
	return path
}

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
	path := sharedExport(t, "real-2023/conversations.json")
	r := importFile(t, st, path)
	if r.Conversations.New != 192 || r.Messages.New != 1560 || r.Turns.Total-r.Turns.OffPath != 645 {
		t.Errorf("receipt %+v", r)
	}
	if catalog, err := st.Catalog(t.Context()); err != nil || catalog.Len() != 645 || len(catalog.Conversations) != 192 {
		t.Errorf("in the archive: %d turns of %d conversations, %v", catalog.Len(), len(catalog.Conversations), err)
	}
	if again := importFile(t, st, path); again.Changed() {
		t.Errorf("a second import: %+v", again)
	}
}

func TestImport_ModernExportAsJSONAndZip(t *testing.T) {
	fromJSON, fromZip := newArchive(t), newArchive(t)
	importFile(t, fromJSON, sharedExport(t, "synthetic-modern/conversations.json"))
	zip := sharedExport(t, "synthetic-modern/export.zip")
	r := importFile(t, fromZip, zip)
	if want := filepath.Join(zip, "conversations.json"); r.Files[0].Path != want {
		t.Errorf("the file is called %s, want %s", r.Files[0].Path, want)
	}
	if a, b := exportAll(t, fromJSON), exportAll(t, fromZip); a != b || a == "" {
		t.Errorf("%d bytes from JSON, %d from the zip", len(a), len(b))
	}
}

// BenchmarkImport imports a scaled-up demo into a new archive. The throughput is that of the JSON.
func BenchmarkImport(b *testing.B) {
	var export bytes.Buffer
	if err := demo.Write(&export, demo.Options{Turns: 30_000}); err != nil {
		b.Fatal(err)
	}
	path := writeExport(b, export.String())
	b.SetBytes(int64(export.Len()))
	b.ReportAllocs()
	for b.Loop() {
		importFile(b, newArchive(b), path)
	}
}

// BenchmarkImport_Unchanged imports the demo again: nothing changed.
func BenchmarkImport_Unchanged(b *testing.B) {
	var export bytes.Buffer
	if err := demo.Write(&export, demo.Options{Turns: 30_000}); err != nil {
		b.Fatal(err)
	}
	path, st := writeExport(b, export.String()), newArchive(b)
	importFile(b, st, path)
	b.SetBytes(int64(export.Len()))
	b.ReportAllocs()
	for b.Loop() {
		importFile(b, st, path)
	}
}
