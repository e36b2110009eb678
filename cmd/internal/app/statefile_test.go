package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lens/cmd/internal/config"
)

func deskIn(dir string) Desk { return Desk{home: home{dir: dir}, name: "explorer.json"} }

func TestStateFile_KeepAndLoad(t *testing.T) {
	dir := t.TempDir()
	d := deskIn(dir)
	var got map[string]string
	if d.Load(&got) {
		t.Error("state loaded before any was saved")
	}
	for _, query := range []string{"bread", "rust"} {
		if err := d.Keep(map[string]string{"query": query}); err != nil {
			t.Fatal(err)
		}
	}
	if !d.Load(&got) || got["query"] != "rust" {
		t.Errorf("got %v", got)
	}
	info, err := os.Stat(filepath.Join(dir, d.name))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info, err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("%d files are left", len(left))
	}
}

func TestStateFile_Truncated(t *testing.T) {
	d := deskIn(t.TempDir())
	if err := os.WriteFile(filepath.Join(d.home.dir, d.name), []byte(`{"query": "ru`), 0o600); err != nil {
		t.Fatal(err)
	}
	if d.Load(new(map[string]string)) {
		t.Error("a truncated file loads")
	}
}

func TestStateFile_KeepFails(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := deskIn(file).Keep(1); err == nil {
		t.Error("no error for a folder that is a file")
	}
	if err := deskIn(file + "-gone").Keep(1); err != nil {
		t.Errorf("without an archive: %v", err)
	}
}

func TestForget_ClearsStateFile(t *testing.T) {
	l := New(config.Config{DataDir: t.TempDir()}, "forget")
	t.Cleanup(func() { _ = l.Close() })
	if _, err := l.Writing(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := l.Desk().Keep(map[string]string{"query": "what nobody should know"}); err != nil {
		t.Fatal(err)
	}
	for _, dry := range []bool{true, false} {
		if _, err := l.Forget(t.Context(), ForgetOptions{Everything: true, DryRun: dry}); err != nil {
			t.Fatal(err)
		}
		if kept := l.Desk().Load(new(map[string]string)); kept != dry {
			t.Errorf("dry run %v: kept %v", dry, kept)
		}
	}
}

func TestStateFile_OnePerArchive(t *testing.T) {
	desks := map[Desk]bool{}
	for _, url := range []string{"", "postgres://u:secret@127.0.0.1/a", "postgres://u:secret@127.0.0.1/b"} {
		d := New(config.Config{DataDir: "data", DatabaseURL: url}, "explore").Desk()
		if desks[d] || strings.Contains(d.name, "secret") {
			t.Errorf("the state file of %q is %q", url, d.name)
		}
		desks[d] = true
	}
}
