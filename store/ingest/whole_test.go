package ingest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lens/internal/testenv"
	"lens/store"
	"lens/store/ingest"
)

// TestImport_Whole imports projects of Claude: what the service supplies and what holds nothing is not missing, a damaged
// project is.
func TestImport_Whole(t *testing.T) {
	const (
		own     = `{"uuid":"p1","name":"Bakery","prompt_template":"Answer briefly.","docs":[]}`
		starter = `{"uuid":"p2","name":"How to use Claude","is_starter_project":true,"docs":[{"filename":"a","content":"b"}]}`
		empty   = `{"uuid":"p3","name":"Later","prompt_template":"","docs":[]}`
	)
	for list, want := range map[string]bool{
		own + "," + starter + "," + empty: true,
		own + ",7":                        false,
	} {
		path := filepath.Join(t.TempDir(), "projects.json")
		testenv.Must(t, os.WriteFile(path, []byte("["+list+"]"), 0o600))
		r, err := ingest.Import(t.Context(), newArchive(t), []string{path}, ingest.Options{})
		testenv.Must(t, err)
		if testenv.Must(t, r.Check()); r.IsWhole() != want {
			t.Errorf("%s: whole %t, want %t: %v", list, r.IsWhole(), want, r.Skipped)
		}
	}
}

// TestImport_WholeGrok: what an intact export has beside the chats does not make it look damaged.
func TestImport_WholeGrok(t *testing.T) {
	for beside, want := range map[string]bool{
		`{"id":"p","name":"Bare"}],"tasks":[{"id":"t","prompt":"Tell me the news."}`: true,
		`{"id":"p","title":"Sea"}`: false,
	} {
		path := filepath.Join(t.TempDir(), "prod-grok-backend.json")
		testenv.Must(t, os.WriteFile(path, []byte(`{"conversations":[{"conversation":{"id":"c"},"responses":[
			{"_id":"r","message":"Hi","sender":"human"}]}],"media_posts":[],"projects":[`+beside+`]}`), 0o600))
		r, err := ingest.Import(t.Context(), newArchive(t), []string{path}, ingest.Options{})
		testenv.Must(t, err)
		if r.IsWhole() != want {
			t.Errorf("%s: whole %t, want %t: %v", beside, r.IsWhole(), want, r.Skipped)
		}
	}
}

// TestImport_CutArtifact counts an artifact that was cut among the texts that were.
func TestImport_CutArtifact(t *testing.T) {
	for _, size := range []int{1 << 10, 5 << 20} {
		path := filepath.Join(t.TempDir(), "conversations.json")
		testenv.Must(t, os.WriteFile(path, fmt.Appendf(nil, `[{"uuid":"c1","name":"C","created_at":"2025-01-01T00:00:00Z","chat_messages":[
			{"uuid":"m1","sender":"human","text":"q","created_at":"2025-01-01T00:00:00Z"},
			{"uuid":"m2","sender":"assistant","created_at":"2025-01-01T00:00:01Z","text":"Here.","content":[
				{"type":"tool_use","name":"artifacts","input":{"command":"create","id":"a","title":"T","type":"text/plain","content":%q}},
				{"type":"text","text":"Here."}]}]}]`, strings.Repeat("word ", size/5)), 0o600))
		r, err := ingest.Import(t.Context(), newArchive(t), []string{path}, ingest.Options{})
		testenv.Must(t, err)
		if want := map[bool]int{true: 1}[size > 4<<20]; r.Derived[store.Artifact] != 1 || r.Truncated != want {
			t.Errorf("%d bytes: derived %v, truncated %d", size, r.Derived, r.Truncated)
		}
	}
}

// An upload that comes beside a chat which is stored already changes the archive, though no conversation is new.
func TestImport_ChangedByDerived(t *testing.T) {
	st, dir := newArchive(t), filepath.Join(t.TempDir(), "grok")
	testenv.Must(t, os.CopyFS(dir, os.DirFS("testdata/importer/grok")))
	assets := filepath.Join(dir, "prod-mc-asset-server")
	testenv.Must(t, os.Rename(assets, dir+".beside"))
	imports := func() *ingest.Receipt {
		t.Helper()
		r, err := ingest.Import(t.Context(), st, []string{dir}, ingest.Options{})
		testenv.Must(t, err)
		return r
	}
	imports()
	testenv.Must(t, os.Rename(dir+".beside", assets))
	if r := imports(); !r.Changed() || len(r.Derived) == 0 {
		t.Errorf("with the uploads, the receipt is %+v", r)
	}
	if r := imports(); r.Changed() {
		t.Errorf("again, the receipt is %+v", r)
	}
}
