package config

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lens/internal/errs"
)

func TestLoadKeys(t *testing.T) {
	dir := t.TempDir()
	if keys, err := LoadKeys(Options{ConfigDir: dir}); err != nil || keys != nil {
		t.Errorf("without a file: %v, %v", keys, err)
	}
	for text, want := range map[string]map[string][]string{
		"": {},
		"next-theme: ctrl+t\nhistogram.zoom: [enter, space]\nquit: Q q\npin:\n": {
			"next-theme": {"ctrl+t"}, "histogram.zoom": {"enter", "space"}, "quit": {"Q", "q"}, "pin": {},
		},
	} {
		write(t, dir, text)
		keys, err := LoadKeys(Options{ConfigDir: dir})
		if err != nil || !maps.EqualFunc(keys, want, slices.Equal) {
			t.Errorf("%q: %v, %v", text, keys, err)
		}
	}
}

func TestLoadKeys_WrongLine(t *testing.T) {
	dir := t.TempDir()
	for text, want := range map[string]string{
		"- a":         "line 1: expected a command",
		"a: b\nc: {}": "line 2: expected a key",
		"a: [[b]]":    "line 1: expected a key",
		"\t":          "not YAML",
	} {
		write(t, dir, text)
		_, err := LoadKeys(Options{ConfigDir: dir})
		failure := new(errs.Error)
		if !errors.As(err, &failure) || !strings.Contains(failure.Message, want) || failure.Hint == "" {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

func write(t *testing.T, dir, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, "keys.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func FuzzParseKeys(f *testing.F) {
	f.Add([]byte("next-theme: ctrl+t\nzoom: [enter, space]"))
	f.Fuzz(func(t *testing.T, content []byte) {
		if keys, err := parseKeys(content); err == nil && keys == nil {
			t.Error("neither keys nor an error")
		}
	})
}
