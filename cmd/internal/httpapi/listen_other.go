//go:build !unix

package httpapi

import "net"

// listenForOwner creates a socket. The permissions of its folder decide who can open it.
func listenForOwner(path string) (net.Listener, error) { return net.Listen("unix", path) }
