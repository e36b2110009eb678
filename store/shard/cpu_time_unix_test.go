//go:build unix

package shard

import (
	"syscall"
	"time"
)

// cpuTime returns the processor time of this process, so that other processes do not count.
func cpuTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
