package embedtest

import (
	"os"
	"path/filepath"
	"testing"

	"lens/retrieval/embed/local"
)

// UseLite opens the real model use-lite, whose folder LENS_TEST_USE_LITE names, and closes it with the test. It returns
// nil where the variable is not set.
func UseLite(tb testing.TB) *local.Model {
	tb.Helper()
	dir := os.Getenv("LENS_TEST_USE_LITE")
	if dir == "" {
		return nil
	}
	model, err := local.Open(filepath.Clean(dir), local.Spec{Name: "use-lite"})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { model.Close() })
	return model
}
