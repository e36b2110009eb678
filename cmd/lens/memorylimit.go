package main

import (
	"math"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// importLimit is the memory that Go may take during an import. It holds while at most importLive bytes are in use: with
// more, as while a large conversation is read, Go would collect garbage all the time to keep to it.
const (
	importLimit = 82 << 20
	importLive  = 57 << 20
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
	before := debug.SetMemoryLimit(limitFor(0))
	tick := time.NewTicker(50 * time.Millisecond)
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		defer tick.Stop()
		adjustLimit(stop, tick.C, liveBytes)
	}()
	return func() {
		close(stop)
		<-stopped
		debug.SetMemoryLimit(before)
	}
}

// adjustLimit sets the limit by what is in use, at every tick until stop is closed. It begins with that of nothing.
func adjustLimit(stop <-chan struct{}, tick <-chan time.Time, live func() uint64) {
	now := limitFor(0)
	for {
		select {
		case <-stop:
			return
		case <-tick:
		}
		if limit := limitFor(live()); limit != now { // setting it stops all goroutines
			now = limit
			debug.SetMemoryLimit(now)
		}
	}
}

// liveBytes returns what the last garbage collection left in use.
func liveBytes() uint64 {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	return live[0].Value.Uint64()
}
