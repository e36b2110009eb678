package boot

import (
	"os"
	"path/filepath"
	"testing"
)

func TestTheDeskKeepsTheLastThingWhole(t *testing.T) {
	dir := t.TempDir()
	d := Desk{filepath.Join(dir, "explorer.json")}
	var got map[string]string
	if d.Load(&got) {
		t.Error("something is kept before anything was")
	}
	for _, query := range []string{"bread", "rust"} {
		if err := d.Keep(map[string]string{"query": query}); err != nil {
			t.Fatal(err)
		}
	}
	if !d.Load(&got) || got["query"] != "rust" {
		t.Errorf("kept is %v", got)
	}
	info, err := os.Stat(d.path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info, err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("%d files are left", len(left))
	}
}

func TestADeskThatIsTornCountsAsNone(t *testing.T) {
	d := Desk{filepath.Join(t.TempDir(), "explorer.json")}
	if err := os.WriteFile(d.path, []byte(`{"query": "ru`), 0o600); err != nil {
		t.Fatal(err)
	}
	if d.Load(new(map[string]string)) {
		t.Error("half a file is taken for a whole one")
	}
}

func TestWhatCannotBeKeptSaysSo(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := (Desk{filepath.Join(file, "explorer.json")}).Keep(1); err == nil {
		t.Error("no error for a folder that is a file")
	}
	if err := (Desk{filepath.Join(file+"-gone", "explorer.json")}).Keep(1); err != nil {
		t.Errorf("without an archive: %v", err)
	}
}
