//go:build unix

package httpapi

import (
	"net"
	"syscall"
)

// listenForOwner creates a socket with mode 0600 from the start. The umask applies to the whole process, so call it
// before other goroutines create files.
func listenForOwner(path string) (net.Listener, error) {
	defer syscall.Umask(syscall.Umask(0o177))
	return net.Listen("unix", path)
}
