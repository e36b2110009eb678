//go:build unix

package input

import (
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"lens/internal/testenv"
)

func TestOpen_Pipe(t *testing.T) {
	for name, data := range map[string]string{"JSON": gpt, "a zip": zipped(t, file{name: "conversations.json", data: gpt}), "gzip": gzipped(t, gpt)} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "pipe")
			if err := syscall.Mkfifo(path, 0o600); err != nil {
				t.Skipf("SKIPPED: no pipes here: %v", err)
			}
			go func() { _ = os.WriteFile(path, []byte(data), 0o600) }()
			if got := listFiles(t, path); got != "pipe=chatgpt" && got != "pipe/conversations.json=chatgpt" {
				t.Errorf("got %s", got)
			}
		})
	}
}

// A pipe in a folder is named and never opened, which would wait for a writer.
func TestOpen_PipeInAFolder(t *testing.T) {
	dir := writeFiles(t, file{name: "a.json", data: gpt})
	if err := syscall.Mkfifo(filepath.Join(dir, "b.jsonl"), 0o600); err != nil {
		t.Skipf("SKIPPED: no pipes here: %v", err)
	}
	a, err := Open(t.Context(), dir, "")
	testenv.Must(t, err)
	defer a.Close()
	if len(a.Files) != 1 || !slices.Equal(a.Unread.Closed, []string{"b.jsonl"}) {
		t.Errorf("files %v, closed %v", a.Files, a.Unread.Closed)
	}
}

// TestFile_SourcePiped: the name of a pipe names no session; that of a file in a zip that came through one does.
func TestFile_SourcePiped(t *testing.T) {
	session := func(words string) string { return `{"role":"user","message":{"content":"` + words + `"}}` + "\n" }
	id := func(name, data string) string {
		path := filepath.Join(t.TempDir(), name)
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Skipf("SKIPPED: no pipes here: %v", err)
		}
		go func() { _ = os.WriteFile(path, []byte(data), 0o600) }()
		export, err := Open(t.Context(), path, t.TempDir())
		testenv.Must(t, err)
		defer export.Close()
		r, err := export.Files[0].Open(t.Context())
		testenv.Must(t, err)
		defer r.Close()
		all := testenv.Collect(t, export.Files[0].Format.Read(export.Files[0].Source(t.Context(), r)))
		if len(all) != 1 {
			t.Fatalf("%d conversations", len(all))
		}
		return all[0].SourceID
	}
	one, again, other := id("63", session("q")), id("64", gzipped(t, session("q"))), id("63", session("p"))
	if one != again || one == other || one == "63" {
		t.Errorf("got %s, again %s, another %s", one, again, other)
	}
	if got := id("63", zipped(t, file{name: "s1.jsonl", data: session("q")})); got != "s1" {
		t.Errorf("in a zip: got %s", got)
	}
}
