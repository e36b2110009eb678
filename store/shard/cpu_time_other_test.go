//go:build !unix

package shard

import "time"

var begun = time.Now()

// processorTime is the time that passes, where the system does not say how much of it the process had.
func processorTime() time.Duration { return time.Since(begun) }
