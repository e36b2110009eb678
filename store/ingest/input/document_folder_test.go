package input

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"lens/internal/errs"
)

func TestOpenFolder_Files(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b.md", "a/deep/er/than/any/export/is/c.md", ".hidden", ".git/config", "node_modules/x/y.md", "__pycache__/z.py", "~x.md"} {
		at := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte("text"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{"out": os.TempDir(), "again.md": "b.md", "loop": "."} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Skipf("SKIPPED: no links here: %v", err)
		}
	}
	f, err := OpenFolder(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var names []string
	for _, d := range f.Files {
		names = append(names, d.Name)
	}
	if want := []string{"a/deep/er/than/any/export/is/c.md", "b.md", "~x.md"}; !slices.Equal(names, want) {
		t.Errorf("got %q, want %q", names, want)
	}
	if data, err := f.Read("b.md", 2); string(data) != "tex" || err != nil {
		t.Errorf("one more than the limit: %q, %v", data, err)
	}
	if _, err := f.Read("../secret", 10); err == nil {
		t.Error("a path led out of the folder")
	}
}

func TestOpenFolder_UnreadableSubfolder(t *testing.T) {
	f := &Folder{Path: "/notes", Unreadable: []string{"locked", "a/locked"}}
	for at, want := range map[string]bool{
		"/notes/a.md": true, "/notes/a/b.md": true, "/notes/lockedx/a.md": true, "/notes/locked/a.md": false, "/notes/a/locked/b/c.md": false,
		"/elsewhere/a.md": false, "/notes2/a.md": false,
	} {
		if got := f.Covers(at); got != want {
			t.Errorf("%s: %v", at, got)
		}
	}
}

func TestIsNoConversations(t *testing.T) {
	dir := t.TempDir()
	_, nothing := Open(t.Context(), dir, "")
	_, nowhere := Open(t.Context(), filepath.Join(dir, "nowhere"), "")
	if !IsNoConversations(nothing) || IsNoConversations(nowhere) || errs.CodeOf(nowhere) != errs.NotFound {
		t.Errorf("no conversations: %v; missing path: %v", nothing, nowhere)
	}
	if _, err := OpenFolder(t.Context(), filepath.Join(dir, "nowhere")); errs.CodeOf(err) != errs.NotFound {
		t.Errorf("got %v", err)
	}
}
