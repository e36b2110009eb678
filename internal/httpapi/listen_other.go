//go:build !unix

package httpapi

import "net"

// listenPrivately makes a socket in a folder whose rights decide who may open it.
func listenPrivately(path string) (net.Listener, error) { return net.Listen("unix", path) }
