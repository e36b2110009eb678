package sandbox

import "golang.org/x/sys/unix"

// firstForeignCall is the first x32 call number. x32 shares its audit architecture with amd64.
const (
	auditArch        = unix.AUDIT_ARCH_X86_64
	firstForeignCall = 0x40000000
)
