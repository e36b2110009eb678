// Package lazyregexp compiles regular expressions when they are first used. Compiling the hundred of the program at
// once takes 4 of the 14 ms of CPU that lens --version would need, and a run uses few of them.
package lazyregexp

import (
	"os"
	"regexp"
	"strings"
	"sync"
)

// inTest reports whether this is a test's binary.
var inTest = len(os.Args) > 0 && strings.HasSuffix(strings.TrimSuffix(os.Args[0], ".exe"), ".test")

// New returns a function that compiles expr the first time, and then returns the same. It panics if expr does not
// compile: in tests at once, so that any test of a package notices.
func New(expr string) func() *regexp.Regexp {
	compiled := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
	if inTest {
		compiled()
	}
	return compiled
}
