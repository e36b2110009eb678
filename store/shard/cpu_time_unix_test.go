//go:build unix

package shard

import (
	"syscall"
	"time"
)

// processorTime returns how long this process has had a processor: other processes do not lengthen it.
func processorTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
