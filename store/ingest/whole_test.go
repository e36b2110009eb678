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
