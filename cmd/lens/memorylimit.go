package main

import (
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// An import may take importLimit bytes of Go's memory, and more only with much in use: see limitFor. Within them,
// garbage may become importGC percent of what is in use, twice the default: to collect it less often takes less of the
// processor.
const (
	importLimit = 92 << 20
	importGC    = 200
	ownMemory   = 8 << 20 // about what Go needs beside the heap
)

// limitFor returns the limit of memory while so many bytes are in use. With many, as while a large conversation is
// read, importLimit would have garbage collected all the time.
func limitFor(live uint64) int64 { return max(importLimit, 2*int64(live)+ownMemory) }

// limitMemory limits the memory of an import, unless GOMEMLIMIT or GOGC is set, until restore is called.
func limitMemory() (restore func()) {
	if os.Getenv("GOMEMLIMIT") != "" || os.Getenv("GOGC") != "" {
		return func() {}
	}
	limit, percent := debug.SetMemoryLimit(limitFor(0)), debug.SetGCPercent(importGC)
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
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
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
