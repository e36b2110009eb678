package sandbox

import "golang.org/x/sys/unix"

// firstForeignCall is above every call number: no other calls share the architecture.
const (
	auditArch        = unix.AUDIT_ARCH_AARCH64
	firstForeignCall = 0x40000000
)
