package main

import (
	"math"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// The limit of the memory that Go takes during an import, and what may be in use under it. With more in use, as while a
// large conversation is read, Go would do little but collect garbage to keep to the limit: then there is none.
const (
	importLimit = 82 << 20
	importLive  = 54 << 20
)

// limitFor returns the limit of memory while so many bytes are in use.
func limitFor(live uint64) int64 {
	if live > importLive {
		return math.MaxInt64
	}
	return importLimit
}

// limitMemory limits the memory of an import, unless GOMEMLIMIT or GOGC is set, until restore is called. To collect
// more often from the beginning would keep to the limit, too, and take more of the processor.
func limitMemory() (restore func()) {
	if os.Getenv("GOMEMLIMIT") != "" || os.Getenv("GOGC") != "" {
		return func() {}
	}
	now := limitFor(0)
	before := debug.SetMemoryLimit(now)
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		tick := time.NewTicker(50 * time.Millisecond)
		defer tick.Stop()
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
			}
			metrics.Read(live)
			if limit := limitFor(live[0].Value.Uint64()); limit != now { // setting it stops all goroutines
				now = limit
				debug.SetMemoryLimit(now)
			}
		}
	}()
	return func() {
		close(stop)
		<-stopped
		debug.SetMemoryLimit(before)
	}
}
