package testenv

import (
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"testing"
)

// Shared returns the path of a file or folder of the data beside the repository, such as "exports/real-2023". It skips
// the test where that is absent.
func Shared(tb testing.TB, name string) string {
	tb.Helper()
	path := SharedPath(name)
	if _, err := os.Stat(path); err != nil {
		tb.Skipf("SKIPPED: ../shared/data/%s is not beside the repository", name)
	}
	return path
}

// SharedPath is the path that Shared returns, whether anything is there or not. The name may be a pattern.
func SharedPath(name string) string {
	return filepath.Join(root(), "..", "shared", "data", filepath.FromSlash(name))
}

var module = regexp.MustCompile(`(?m)^module lens\r?$`)

// root returns the folder of the module, in which go test runs the tests of each package.
var root = sync.OnceValue(func() string {
	start, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	for dir := start; ; dir = filepath.Dir(dir) {
		if text, err := os.ReadFile(filepath.Join(dir, "go.mod")); err == nil && module.Match(text) {
			return dir
		}
		if dir == filepath.Dir(dir) {
			panic("testenv: " + start + " is not in the module lens")
		}
	}
})
