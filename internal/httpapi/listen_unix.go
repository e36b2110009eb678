//go:build unix

package httpapi

import (
	"net"
	"syscall"
)

// listenPrivately makes a socket that nobody else may open, from the beginning. The mask is the whole process's: this is done before
// anything else is.
func listenPrivately(path string) (net.Listener, error) {
	defer syscall.Umask(syscall.Umask(0o177))
	return net.Listen("unix", path)
}
