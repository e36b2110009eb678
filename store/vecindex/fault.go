package vecindex

import (
	"fmt"
	"runtime/debug"
)

// CatchFault runs fn, which reads a mapped index. It returns ErrDamaged if the file has been truncated
// or its disk cannot be read, which would otherwise end the process. It does not cover goroutines that
// fn starts.
func CatchFault(fn func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		fault := recover()
		if fault == nil {
			return
		}
		if _, of := fault.(interface{ Addr() uintptr }); !of { // only a memory fault has an address
			panic(fault)
		}
		err = fmt.Errorf("cannot read the mapped file: %w", ErrDamaged)
	}()
	return fn()
}
