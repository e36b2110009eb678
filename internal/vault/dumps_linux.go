package vault

import (
	"sync"

	"golang.org/x/sys/unix"
)

// veil keeps this process's memory from core dumps and from other processes of the same user (prctl(2), PR_SET_DUMPABLE; ptrace(2)), until it
// ends: what a key opened stays in memory for a while after the key is forgotten. A system that refuses leaves things as they were.
var disableDumps = sync.OnceFunc(func() {
	_ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0)
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_CORE, &limit) == nil {
		limit.Cur = 0 // below the hard limit, which programs started from here may go up to
		_ = unix.Setrlimit(unix.RLIMIT_CORE, &limit)
	}
})
