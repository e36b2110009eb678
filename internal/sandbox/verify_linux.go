//go:build linux && (amd64 || arm64)

package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"runtime"
	"strconv"

	"golang.org/x/sys/unix"
)

// probes are kinds of socket that must be refused: together they cover every kind of network.
var probes = [...]struct{ family, kind, protocol int }{
	{unix.AF_INET, unix.SOCK_STREAM, 0},
	{unix.AF_INET6, unix.SOCK_DGRAM, 0},
	{unix.AF_INET, unix.SOCK_STREAM, unix.IPPROTO_MPTCP},
	{unix.AF_NETLINK, unix.SOCK_RAW, 0},
}

// verify checks this thread's filter and all descriptors of the process. Other threads inherited the filter and cannot
// drop it.
func verify() (Evidence, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	e := Evidence{Mechanism: Seccomp}
	for _, p := range probes {
		fd, err := unix.Socket(p.family, p.kind|unix.SOCK_CLOEXEC, p.protocol)
		if err == nil {
			_ = unix.Close(fd)
		}
		if !errors.Is(err, unix.EACCES) {
			return e, failure("the kernel allowed a network socket", err)
		}
		e.Probes++
	}
	if err := checkStatus(); err != nil {
		return e, err
	}
	sockets, err := checkDescriptors()
	e.Sockets = sockets
	return e, err
}

// checkStatus reads the kernel's view of this thread.
func checkStatus() error {
	status, err := os.ReadFile("/proc/thread-self/status")
	if err != nil {
		return failure("/proc/thread-self/status is unreadable", err)
	}
	for _, line := range [][]byte{[]byte("\nSeccomp:\t2\n"), []byte("\nNoNewPrivs:\t1\n")} {
		if !bytes.Contains(status, line) {
			return failure("this thread has no seccomp filter", nil)
		}
	}
	return nil
}

// checkDescriptors returns the number of open sockets. It fails at the first that can reach another machine.
func checkDescriptors() (sockets int, err error) {
	fds, err := descriptors()
	if err != nil {
		return 0, err
	}
	for _, fd := range fds {
		var stat unix.Stat_t
		if unix.Fstat(fd, &stat) != nil || stat.Mode&unix.S_IFMT != unix.S_IFSOCK {
			continue // closed meanwhile, or not a socket
		}
		sockets++
		if why := unsafeReason(fd); why != "" {
			return sockets, failure(fmt.Sprintf("descriptor %d is %s", fd, why), nil)
		}
	}
	return sockets, nil
}

// descriptors returns the open descriptors, except the one used to list them, which is closed again.
func descriptors() ([]int, error) {
	dir, err := os.Open("/proc/self/fd")
	if err != nil {
		return nil, failure("/proc/self/fd is unreadable", err)
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil, failure("/proc/self/fd is unreadable", err)
	}
	fds := make([]int, 0, len(names))
	for _, name := range names {
		if fd, err := strconv.Atoi(name); err == nil && fd != int(dir.Fd()) {
			fds = append(fds, fd)
		}
	}
	return fds, nil
}

// unsafeReason says how a socket can reach another machine. It returns "" if it cannot: for a unix socket, a TCP
// listener on loopback, or a connection between two loopback addresses. All sockets that this process creates are bound
// to loopback, and the kernel routes packets from a loopback address nowhere else, even if the socket is connected
// again. A network socket that came as stdin, stdout or stderr may not be bound, so it is unsafe.
func unsafeReason(fd int) string {
	option := func(name int) int {
		value, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, name)
		if err != nil {
			return -1
		}
		return value
	}
	switch option(unix.SO_DOMAIN) {
	case unix.AF_UNIX:
		return ""
	case unix.AF_INET, unix.AF_INET6:
	default:
		return "a socket of another family"
	}
	if fd <= 2 {
		return "a network socket from another program"
	}
	if option(unix.SO_TYPE) != unix.SOCK_STREAM {
		return "a socket that can send to any address"
	}
	own, err := unix.Getsockname(fd)
	if err != nil || !isLoopback(own) {
		return "a socket that is not bound to loopback"
	}
	peer, err := unix.Getpeername(fd)
	if errors.Is(err, unix.ENOTCONN) { // a listener, or a closed connection
		return ""
	}
	if err != nil || !isLoopback(peer) {
		return "a connection to another machine"
	}
	return ""
}

func isLoopback(address unix.Sockaddr) bool {
	switch a := address.(type) {
	case *unix.SockaddrInet4:
		return netip.AddrFrom4(a.Addr).IsLoopback()
	case *unix.SockaddrInet6:
		return netip.AddrFrom16(a.Addr).Unmap().IsLoopback()
	}
	return false
}
