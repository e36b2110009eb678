package httpapi

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"strings"

	"lens/internal/errs"

	"github.com/coreos/go-systemd/v22/activation"
)

// DefaultAddress is the default listen address, reachable from this machine only.
const DefaultAddress = "127.0.0.1:5367"

// cannotListen is the error of an address on which the server cannot listen.
func cannotListen(message, hint string, cause error) error {
	return &errs.Error{Code: errs.Unavailable, Op: "listen", Message: message, Hint: hint, Err: cause}
}

// Listen listens on HOST:PORT, or on unix:PATH, a socket that only its owner can open. A socket passed by systemd takes
// precedence. Errors: unavailable.
func Listen(address string) (net.Listener, error) {
	handed, err := activation.Listeners()
	if err != nil {
		return nil, cannotListen("the socket passed by systemd is unusable", "", err)
	}
	if len(handed) > 0 {
		return onlyListener(handed)
	}
	if path, ok := strings.CutPrefix(address, "unix:"); ok {
		return listenUnix(path)
	}
	if _, _, err := net.SplitHostPort(address); err != nil {
		hint := "use HOST:PORT, such as " + DefaultAddress + ", or unix:PATH"
		return nil, cannotListen("cannot listen on "+address+": not an address", hint, err)
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		message := "cannot listen on " + address + ": " + reason(err)
		return nil, cannotListen(message, "choose another address with --addr", err)
	}
	return l, nil
}

// onlyListener returns the single listener of all.
func onlyListener(all []net.Listener) (net.Listener, error) {
	if len(all) == 1 && all[0] != nil {
		return all[0], nil
	}
	for _, l := range all {
		if l != nil {
			_ = l.Close() // unused
		}
	}
	return nil, cannotListen(
		fmt.Sprintf("systemd passed %d sockets; exactly one stream socket is needed", len(all)),
		"use a single ListenStream= in the socket unit", nil,
	)
}

func listenUnix(path string) (net.Listener, error) {
	if path == "" || strings.HasPrefix(path, "@") {
		return nil, cannotListen("a unix socket needs a path", "use unix:PATH, such as unix:/run/user/1000/lens.sock", nil)
	}
	if err := removeStale(path); err != nil {
		return nil, err
	}
	l, err := listenForOwner(path)
	if err != nil {
		message := "cannot listen on " + path + ": " + reason(err)
		return nil, cannotListen(message, "choose another path with --addr unix:PATH", err)
	}
	return l, nil
}

// removeStale removes a socket that a crashed server left behind.
func removeStale(path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode()&fs.ModeSocket == 0 {
		return nil // listening will report anything else that is there
	}
	if c, err := net.Dial("unix", path); err == nil {
		_ = c.Close()
		return cannotListen("another server listens on "+path, "stop it, or choose another path", nil)
	}
	if err := os.Remove(path); err != nil {
		message := "cannot remove the stale socket " + path + ": " + reason(err)
		return cannotListen(message, "remove it, or choose another path", err)
	}
	return nil
}

// reason returns the operating system's error, without operation and path.
func reason(err error) string {
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(inner) {
		err = inner
	}
	return err.Error()
}

// IsPrivate reports whether only this machine can reach a listener.
func IsPrivate(l net.Listener) bool {
	if l.Addr().Network() == "unix" {
		return true
	}
	at, err := netip.ParseAddrPort(l.Addr().String())
	return err == nil && at.Addr().Unmap().IsLoopback()
}
