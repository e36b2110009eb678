package datadir

import (
	"os"
	"path/filepath"
	"testing"

	"lens/cmd/internal/keys"
)

func stateIn(dir string) File {
	return File{New(keys.New(keys.Options{Dir: dir, Remote: true})), StateFile}
}

func TestFile_SaveAndLoad(t *testing.T) {
	dir := t.TempDir()
	d := stateIn(dir)
	var got map[string]string
	if d.Load(&got) {
		t.Error("state loaded before any was saved")
	}
	for _, query := range []string{"bread", "rust"} {
		if err := d.Save(map[string]string{"query": query}); err != nil {
			t.Fatal(err)
		}
	}
	if !d.Load(&got) || got["query"] != "rust" {
		t.Errorf("got %v", got)
	}
	info, err := os.Stat(filepath.Join(dir, StateFile))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info, err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("%d files are left", len(left))
	}
}

func TestFile_Truncated(t *testing.T) {
	dir := t.TempDir()
	d := stateIn(dir)
	if err := os.WriteFile(filepath.Join(dir, StateFile), []byte(`{"query": "ru`), 0o600); err != nil {
		t.Fatal(err)
	}
	if d.Load(new(map[string]string)) {
		t.Error("a truncated file loads")
	}
}

func TestFile_SaveFails(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := stateIn(file).Save(1); err == nil {
		t.Error("no error for a folder that is a file")
	}
	if err := stateIn(file + "-gone").Save(1); err != nil {
		t.Errorf("without an archive: %v", err)
	}
}
