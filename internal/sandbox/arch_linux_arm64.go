package sandbox

import "golang.org/x/sys/unix"

// foreignCalls is beyond all numbers: nothing shares the architecture.
const (
	auditArch    = unix.AUDIT_ARCH_AARCH64
	foreignCalls = 0x40000000
)
