//go:build linux && (amd64 || arm64)

package sandbox

import (
	"errors"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Offsets into struct seccomp_data, little-endian.
const (
	offsetNr   = 0
	offsetArch = 4
	offsetArg0 = 16
)

const (
	deny  = unix.SECCOMP_RET_ERRNO | uint32(unix.EACCES)
	allow = unix.SECCOMP_RET_ALLOW
)

// filter returns the BPF program that the kernel runs before every system call. It refuses sockets of every family but
// AF_UNIX, io_uring (which can create sockets without a system call for each), and access to the descriptors or memory
// of another process. It kills a process that makes calls of another architecture. The kernel uses 32 bits of the
// family, and so does the filter.
func filter() []unix.SockFilter {
	load := func(offset uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset}
	}
	ret := func(action uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: action}
	}
	p := []unix.SockFilter{
		load(offsetArch),
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: auditArch, Jt: 1},
		ret(unix.SECCOMP_RET_KILL_PROCESS),
		load(offsetNr),
	}
	const toFamily, toDeny = 1, 3 // instructions after the last comparison
	calls := []struct {
		condition uint16
		nr        uint32
		to        int
	}{
		{unix.BPF_JGE, firstForeignCall, toDeny},
		{unix.BPF_JEQ, unix.SYS_IO_URING_SETUP, toDeny},
		{unix.BPF_JEQ, unix.SYS_IO_URING_ENTER, toDeny},
		{unix.BPF_JEQ, unix.SYS_IO_URING_REGISTER, toDeny},
		{unix.BPF_JEQ, unix.SYS_PIDFD_GETFD, toDeny},
		{unix.BPF_JEQ, unix.SYS_PTRACE, toDeny},
		{unix.BPF_JEQ, unix.SYS_PROCESS_VM_READV, toDeny},
		{unix.BPF_JEQ, unix.SYS_PROCESS_VM_WRITEV, toDeny},
		{unix.BPF_JEQ, unix.SYS_SOCKET, toFamily},
		{unix.BPF_JEQ, unix.SYS_SOCKETPAIR, toFamily},
	}
	for i, c := range calls {
		remaining := len(calls) - 1 - i
		p = append(p, unix.SockFilter{
			Code: unix.BPF_JMP | c.condition | unix.BPF_K, K: c.nr, Jt: uint8(remaining + c.to),
		})
	}
	return append(
		p,
		ret(allow),
		load(offsetArg0),
		unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: unix.AF_UNIX, Jt: 1},
		ret(deny),
		ret(allow),
	)
}

// supported reports whether the kernel has filters that make a call fail with an error.
func supported() bool {
	action := uint32(unix.SECCOMP_RET_ERRNO)
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_GET_ACTION_AVAIL, 0, uintptr(unsafe.Pointer(&action)))
	return errno == 0
}

// installFilter applies the filter to all threads of this process.
func installFilter() error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return failure("the kernel refused no_new_privs", err)
	}
	instructions := filter()
	program := unix.SockFprog{Len: uint16(len(instructions)), Filter: &instructions[0]}
	thread, _, errno := unix.Syscall(
		unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&program)),
	)
	runtime.KeepAlive(instructions)
	switch {
	case errno != 0:
		return failure("the kernel refused the filter", errno)
	case thread != 0:
		return failure("the filter does not apply to every thread", errors.New("a thread has a filter of its own"))
	}
	return nil
}
