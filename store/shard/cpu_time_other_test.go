//go:build !unix

package shard

import "time"

var begun = time.Now()

// cpuTime returns the elapsed time, on systems that do not report processor time.
func cpuTime() time.Duration { return time.Since(begun) }
