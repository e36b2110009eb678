package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"lens/internal/testenv"
)

func TestRun_Reproducible(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no executable bit here")
	}
	var all [][]byte
	for i, names := range [][]string{{"a", "b", "run"}, {"run", "b", "a"}} {
		dir := t.TempDir()
		for _, name := range names {
			path := filepath.Join(dir, "models", name)
			must(t, os.MkdirAll(filepath.Dir(path), 0o700))
			must(t, os.WriteFile(path, []byte(name), 0o600))
			must(t, os.Chtimes(path, time.Time{}, time.Unix(int64(i)*1e9, 0)))
		}
		must(t, os.Rename(filepath.Join(dir, "models", "run"), filepath.Join(dir, "run")))
		must(t, os.Chmod(filepath.Join(dir, "run"), 0o700|os.FileMode(i)<<3))
		out := filepath.Join(dir, "out.zip")
		must(t, run([]string{out, "some/models=" + filepath.Join(dir, "models"), "bootstrap=" + filepath.Join(dir, "run")}))
		text, err := os.ReadFile(out)
		must(t, err)
		all = append(all, text)
	}
	if !bytes.Equal(all[0], all[1]) {
		t.Error("the bytes differ")
	}
	z, err := zip.NewReader(bytes.NewReader(all[0]), int64(len(all[0])))
	must(t, err)
	got := ""
	for _, f := range z.File {
		got += fmt.Sprintln(f.Mode(), f.Name, f.UncompressedSize64)
	}
	if want := "-rwxr-xr-x bootstrap 3\n-rw-r--r-- some/models/a 1\n-rw-r--r-- some/models/b 1\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestRun_Errors(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.zip")
	for _, args := range [][]string{{}, {out}, {out, "no pair"}, {out, "../up=" + out}, {out, "a=" + out + "/nothing"}} {
		if run(args) == nil {
			t.Errorf("no error for %q", args)
		}
	}
}

var must = testenv.Must
