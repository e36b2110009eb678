package testenv

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"lens/internal/demo"
)

// Demo returns the path of a synthetic export, conversations.json in a folder of its own.
func Demo(tb testing.TB, opts demo.Options) (path string) {
	tb.Helper()
	path = filepath.Join(tb.TempDir(), "conversations.json")
	Must(tb, WriteDemo(path, opts))
	return path
}

// DemoWith is Demo with a word in many of its texts, in place of "sourdough".
func DemoWith(tb testing.TB, opts demo.Options, word string) (path string) {
	tb.Helper()
	path = Demo(tb, opts)
	text, err := os.ReadFile(path)
	Must(tb, err)
	Must(tb, os.WriteFile(path, bytes.ReplaceAll(text, []byte("sourdough"), []byte(word)), 0o600))
	return path
}

// WriteDemo writes a synthetic export.
func WriteDemo(path string, opts demo.Options) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(demo.Write(file, opts), file.Close())
}
