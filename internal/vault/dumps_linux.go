package vault

import (
	"sync"

	"golang.org/x/sys/unix"
)

// disableDumps keeps this process's memory out of core dumps and away from other processes of the same user until it
// exits (prctl(2), PR_SET_DUMPABLE; ptrace(2)): decrypted data stays in memory for a while after the key is erased. It
// is best effort.
var disableDumps = sync.OnceFunc(func() {
	_ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0)
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_CORE, &limit) == nil {
		limit.Cur = 0 // children may raise it up to the hard limit
		_ = unix.Setrlimit(unix.RLIMIT_CORE, &limit)
	}
})
