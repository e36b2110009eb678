//go:build linux && (amd64 || arm64)

package sandbox

import "golang.org/x/sys/unix"

func tryMPTCP() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, unix.IPPROTO_MPTCP)
	if err == nil {
		_ = unix.Close(fd)
	}
	return err
}
