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

// probes are kinds of socket that every network there is can be reached by one of.
var probes = [...]struct{ family, kind, protocol int }{
	{unix.AF_INET, unix.SOCK_STREAM, 0},
	{unix.AF_INET6, unix.SOCK_DGRAM, 0},
	{unix.AF_INET, unix.SOCK_STREAM, unix.IPPROTO_MPTCP},
	{unix.AF_NETLINK, unix.SOCK_RAW, 0},
}

// verify looks at this thread's filter and at all descriptors of the process. Threads inherit the filter and cannot drop it.
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
			return e, failure("a socket is not refused", err)
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

// checkStatus asks the kernel itself about this thread.
func checkStatus() error {
	status, err := os.ReadFile("/proc/thread-self/status")
	if err != nil {
		return failure("the kernel's word on this process cannot be read", err)
	}
	for _, line := range [][]byte{[]byte("\nSeccomp:\t2\n"), []byte("\nNoNewPrivs:\t1\n")} {
		if !bytes.Contains(status, line) {
			return failure("the kernel knows of no filter on this thread", nil)
		}
	}
	return nil
}

// checkDescriptors returns how many sockets are open, or the first that can reach another machine.
func checkDescriptors() (sockets int, err error) {
	fds, err := descriptors()
	if err != nil {
		return 0, err
	}
	for _, fd := range fds {
		var stat unix.Stat_t
		if unix.Fstat(fd, &stat) != nil || stat.Mode&unix.S_IFMT != unix.S_IFSOCK {
			continue // closed meanwhile, or no socket
		}
		sockets++
		if why := reaches(fd); why != "" {
			return sockets, failure(fmt.Sprintf("descriptor %d is %s", fd, why), nil)
		}
	}
	return sockets, nil
}

// descriptors returns those that are open, of which the one it looks through is already closed.
func descriptors() ([]int, error) {
	dir, err := os.Open("/proc/self/fd")
	if err != nil {
		return nil, failure("the open descriptors cannot be listed", err)
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil, failure("the open descriptors cannot be listed", err)
	}
	fds := make([]int, 0, len(names))
	for _, name := range names {
		if fd, err := strconv.Atoi(name); err == nil && fd != int(dir.Fd()) {
			fds = append(fds, fd)
		}
	}
	return fds, nil
}

// reaches says how a socket can reach another machine; "" when it cannot: it is a unix socket, or a stream that listens on loopback, or one
// between two loopback addresses. From an address that it was bound to, as all that this process makes are, the kernel routes nowhere else,
// also when the socket is connected anew. One that came as stdin, stdout or stderr may not have been bound.
func reaches(fd int) string {
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
		return "a network socket that another program made"
	}
	if option(unix.SO_TYPE) != unix.SOCK_STREAM {
		return "a socket that can send to anybody"
	}
	own, err := unix.Getsockname(fd)
	if err != nil || !isLoopback(own) {
		return "a socket on no loopback address"
	}
	peer, err := unix.Getpeername(fd)
	if errors.Is(err, unix.ENOTCONN) { // it listens, or is what is left of a connection
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
