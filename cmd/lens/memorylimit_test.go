package main

import (
	"runtime/debug"
	"testing"
	"time"
)

func TestLimitMemory_UntilRestored(t *testing.T) {
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	before := debug.SetMemoryLimit(-1)
	percent := debug.SetGCPercent(importGC + 1)
	defer debug.SetGCPercent(percent)
	restore := limitMemory()
	limited := debug.SetMemoryLimit(-1)
	restore()
	if limited == before || debug.SetMemoryLimit(-1) != before {
		t.Errorf("the limit was %d, then %d, then %d", before, limited, debug.SetMemoryLimit(-1))
	}
	if got := debug.SetGCPercent(percent); got != importGC+1 {
		t.Errorf("%d percent are left, want %d", got, importGC+1)
	}
}

func TestLimitMemory_LeavesSettingsAlone(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	for _, name := range []string{"GOGC", "GOMEMLIMIT"} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("GOGC", "")
			t.Setenv("GOMEMLIMIT", "")
			t.Setenv(name, "100")
			restore := limitMemory()
			defer restore()
			if got := debug.SetMemoryLimit(-1); got != before {
				t.Errorf("the limit is %d, want %d", got, before)
			}
		})
	}
}

func TestAdjustLimit_MuchInUse(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(importLimit))
	stop, tick, live, done := make(chan struct{}), make(chan time.Time), make(chan uint64), make(chan struct{})
	go func() {
		defer close(done)
		adjustLimit(stop, tick, func() uint64 { return <-live })
	}()
	use := func(bytes uint64) {
		tick <- time.Time{}
		live <- bytes
	}
	for _, bytes := range []uint64{importLimit / 4, importLimit, importLimit / 4} {
		want := int64(importLimit)
		if bytes == importLimit {
			want = 2*importLimit + ownMemory
		}
		use(bytes)
		tick <- time.Time{} // the limit is set
		if got := debug.SetMemoryLimit(-1); got != want {
			t.Errorf("with %d bytes in use, the limit is %d, want %d", bytes, got, want)
		}
		live <- bytes
	}
	close(stop)
	<-done
}
