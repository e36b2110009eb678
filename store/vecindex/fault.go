package vecindex

import (
	"fmt"
	"runtime/debug"
)

// CatchFault runs fn, which reads of an index that is mapped. Where its file has become shorter meanwhile, or its disk cannot be read, that
// ends no process: it is ErrDamaged. It does not guard goroutines that fn starts.
func CatchFault(fn func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		fault := recover()
		if fault == nil {
			return
		}
		if _, of := fault.(interface{ Addr() uintptr }); !of { // only a fault of memory has an address
			panic(fault)
		}
		err = fmt.Errorf("a file that was mapped cannot be read: %w", ErrDamaged)
	}()
	return fn()
}
