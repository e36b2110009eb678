package main

import (
	"math"
	"runtime/debug"
	"testing"
)

func TestLimitMemory_UntilRestored(t *testing.T) {
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	before := debug.SetMemoryLimit(-1)
	restore := limitMemory()
	limited := debug.SetMemoryLimit(-1)
	restore()
	if limited == before || debug.SetMemoryLimit(-1) != before {
		t.Errorf("the limit was %d, then %d, then %d", before, limited, debug.SetMemoryLimit(-1))
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

func TestLimitFor_MuchInUse(t *testing.T) {
	if got := limitFor(30 << 20); got != importLimit {
		t.Errorf("the limit with 30 MiB in use is %d", got)
	}
	if got := limitFor(importLimit); got != math.MaxInt64 {
		t.Errorf("the limit with %d bytes in use is %d, want none", importLimit, got)
	}
}
