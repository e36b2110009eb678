package httpapi

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"strings"

	"github.com/coreos/go-systemd/v22/activation"
)

// DefaultAddress is the default listen address, reachable from this machine only.
const DefaultAddress = "127.0.0.1:5367"

// ListenError says why the server cannot listen on an address.
type ListenError struct {
	Message, Hint string
	Err           error // the cause; may be nil
}

func (e *ListenError) Error() string { return "listen: " + e.Message }

func (e *ListenError) Unwrap() error { return e.Err }

// Listen listens on HOST:PORT, or on unix:PATH, a socket that only its owner can open. A socket passed by systemd takes
// precedence. Errors are *ListenError.
func Listen(address string) (net.Listener, error) {
	handed, err := activation.Listeners()
	if err != nil {
		return nil, &ListenError{Message: "the socket passed by systemd is unusable", Err: err}
	}
	if len(handed) > 0 {
		return onlyListener(handed)
	}
	if path, ok := strings.CutPrefix(address, "unix:"); ok {
		return listenUnix(path)
	}
	if _, _, err := net.SplitHostPort(address); err != nil {
		hint := "use HOST:PORT, such as " + DefaultAddress + ", or unix:PATH"
		return nil, &ListenError{"cannot listen on " + address + ": not an address", hint, err}
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		message := "cannot listen on " + address + ": " + reason(err)
		return nil, &ListenError{message, "choose another address with --addr", err}
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
	return nil, &ListenError{
		Message: fmt.Sprintf("systemd passed %d sockets; exactly one stream socket is needed", len(all)),
		Hint:    "use a single ListenStream= in the socket unit",
	}
}

func listenUnix(path string) (net.Listener, error) {
	if path == "" || strings.HasPrefix(path, "@") {
		return nil, &ListenError{
			Message: "a unix socket needs a path",
			Hint:    "use unix:PATH, such as unix:/run/user/1000/lens.sock",
		}
	}
	if err := removeStale(path); err != nil {
		return nil, err
	}
	l, err := listenForOwner(path)
	if err != nil {
		message := "cannot listen on " + path + ": " + reason(err)
		return nil, &ListenError{message, "choose another path with --addr unix:PATH", err}
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
		return &ListenError{Message: "another server listens on " + path, Hint: "stop it, or choose another path"}
	}
	if err := os.Remove(path); err != nil {
		message := "cannot remove the stale socket " + path + ": " + reason(err)
		return &ListenError{message, "remove it, or choose another path", err}
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
