package app

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// picking returns an explorer that records its imports.
func picking(t *testing.T) (d *driver, home string, imported *string) {
	home = t.TempDir()
	t.Setenv("HOME", home)
	for _, name := range []string{"Downloads/old/conversations.json", "Downloads/export.zip", "Downloads/Letter.pdf", "Downloads/.hidden.zip", "Downloads/\x1b]0;evil\x07.zip"} {
		path := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, make([]byte, 2500), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	imported = new(string)
	e := newFake(0)
	d = drive(Options{Archive: over(e), Jobs: &fakeJobs{imports: func(path string) Work {
		*imported = path
		return Work{Name: "importing", Do: func(context.Context, func(done, total int64)) (string, error) { return "imported", nil }}
	}}}, 100, 30)
	return d, home, imported
}

func TestPicker_SelectsAnExport(t *testing.T) {
	d, home, imported := picking(t)
	d.keys("enter").mustShow(t, "Import", "path to a zip", "Downloads", "old/", "export.zip", "2.5 kB", "Letter.pdf")
	d.mustNotShow(t, "hidden")
	d.mustBeHarmless(t)
	d.keys("down enter").mustShow(t, "old/", "conversations.json")
	d.keys("down enter")
	if want := filepath.Join(home, "Downloads/old/conversations.json"); *imported != want || d.dialogs.IsOpen() {
		t.Errorf("imported %q, not %q", *imported, want)
	}
}

func TestPicker_Click(t *testing.T) {
	d, home, imported := picking(t)
	d.keys("enter")
	click := func(name string) {
		t.Helper()
		for y, line := range strings.Split(d.screen(), "\n") {
			if strings.Contains(line, name) {
				d.clickAt(40, y)
				return
			}
		}
		t.Fatalf("%s is not listed:\n%s", name, d.screen())
	}
	click("path to a zip")
	click("old/")
	click("conversations.json")
	if want := filepath.Join(home, "Downloads/old/conversations.json"); *imported != want || d.dialogs.IsOpen() {
		t.Errorf("imported %q, not %q", *imported, want)
	}
}

func TestPicker_CompletesATypedPath(t *testing.T) {
	d, home, imported := picking(t)
	d.keys("enter")
	d.send(tea.PasteMsg{Content: "~/down"})
	d.keys("tab e x")
	d.mustShow(t, "~/Downloads/ex", "export.zip")
	d.mustNotShow(t, "Letter.pdf")
	d.keys("tab enter")
	if want := filepath.Join(home, "Downloads/export.zip"); *imported != want {
		t.Errorf("imported %q, not %q", *imported, want)
	}
}

func TestPicker_MissingPathCanBeTyped(t *testing.T) {
	d, _, imported := picking(t)
	d.keys("enter / n o / x").mustShow(t, "Can't read this folder")
	d.keys("enter")
	if *imported != "/no/x" {
		t.Errorf("imported %q", *imported)
	}
	d.keys(". enter enter").mustShow(t, "Enter a path")
	d.keys("esc").mustShow(t, "Jobs", "▌ Import an export…")
	if d.keys("esc"); d.dialogs.IsOpen() {
		t.Error("esc leaves the jobs open")
	}
}

func TestPicker_FolderForANewFile(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	if err := os.Mkdir("notes", 0o700); err != nil {
		t.Fatal(err)
	}
	d := carrying(nil)
	d.keys("w").mustShow(t, "lens-1970-01-01.md", "notes/")
	d.keys("down enter").mustShow(t, "notes/lens-1970-01-01.md")
	d.keys("enter").mustShow(t, "Saved 1 turn to notes/lens-1970-01-01.md")
	if _, err := os.Stat("notes/lens-1970-01-01.md"); err != nil {
		t.Error(err)
	}
}
