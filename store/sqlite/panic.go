package sqlite

import (
	"errors"
	"fmt"

	"github.com/ncruces/go-sqlite3"
)

// errPanicked is a panic inside SQLite or its driver.
var errPanicked = errors.New("database engine panicked")

// recoverPanic, deferred, turns a panic of the driver into an error. The driver panics if it cannot
// allocate memory, also for a single value that is too large. On a goroutine that does not recover,
// that would end the process.
func recoverPanic(err *error) {
	if p := recover(); p != nil {
		*err = panicked(p)
	}
}

func panicked(p any) error {
	if outOfMemory(p) {
		return sqlite3.NOMEM
	}
	return fmt.Errorf("%w: %v", errPanicked, p)
}

// outOfMemory recognizes the driver's panic value by its text, because the driver does not export it.
func outOfMemory(p any) bool {
	err, ok := p.(error)
	return ok && err.Error() == sqlite3.NOMEM.Error()
}
