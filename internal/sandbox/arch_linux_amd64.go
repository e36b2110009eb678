package sandbox

import "golang.org/x/sys/unix"

// foreignCalls is where the numbers of the x32 calls begin, which share the architecture.
const (
	auditArch    = unix.AUDIT_ARCH_X86_64
	foreignCalls = 0x40000000
)
