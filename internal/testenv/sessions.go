package testenv

import (
	"os"
	"path/filepath"
	"testing"

	"lens/internal/demo"
)

// Sessions returns a folder with synthetic sessions of about size bytes, laid out like ~/.claude, and how many there
// are with how many turns.
func Sessions(tb testing.TB, seed uint64, size int64) (folder string, count, turns int) {
	tb.Helper()
	folder = tb.TempDir()
	all, err := demo.Sessions(seed, size)
	Must(tb, err)
	for s := range all {
		path := filepath.Join(folder, filepath.FromSlash(s.Name))
		Must(tb, os.MkdirAll(filepath.Dir(path), 0o700))
		Must(tb, os.WriteFile(path, s.Log, 0o600))
		count, turns = count+1, turns+s.Prompts
	}
	return folder, count, turns
}
