package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestModules_AllHaveALicense(t *testing.T) {
	linked, err := modules([]string{"linux/amd64", "darwin/arm64", "windows/amd64"})
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := write(&text, linked); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		"Go",
		"github.com/spf13/cobra",
		"github.com/ncruces/go-sqlite3",
		"github.com/inconshreveable/mousetrap",
		"lens/internal/bpe",
	} {
		i := slices.IndexFunc(linked, func(m module) bool { return m.name == name })
		if i < 0 || !strings.Contains(text.String(), "\n"+name+" "+linked[i].version+": LICENSE") {
			t.Errorf("no license of %s", name)
		}
	}
	for _, m := range linked {
		isLicense := func(file string) bool {
			name := strings.ToLower(filepath.Base(file))
			return strings.HasPrefix(name, "licen") || strings.HasPrefix(name, "copying")
		}
		if !slices.ContainsFunc(m.files, isLicense) || m.name == "lens" {
			t.Errorf("%s: got files %v", m.name, m.files)
		}
	}
}

func TestLicensesBetween(t *testing.T) {
	top := filepath.Join(t.TempDir(), "module")
	dir := filepath.Join(top, "a", "b")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		"../LICENSE", "LICENSE-MIT", "notice.txt", "license.go", "licenses", "a/b/LICENCE", //nolint:misspell // a file name
		"a/b/README",
	} {
		if err := os.WriteFile(filepath.Join(top, filepath.FromSlash(name)), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files, err := licensesBetween(dir, top)
	want := []string{filepath.Join(dir, "LICENCE"), filepath.Join(top, "LICENSE-MIT"), filepath.Join(top, "notice.txt")} //nolint:misspell // a file name
	if err != nil || !slices.Equal(files, want) {
		t.Errorf("got %v, %v", files, err)
	}
	if _, err := modules(nil); err == nil {
		t.Error("no error without a platform")
	}
}
