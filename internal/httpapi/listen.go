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

// DefaultAddress is where the server listens unless something else is said: this machine only.
const DefaultAddress = "127.0.0.1:5367"

// ListenError says why an address cannot be listened on.
type ListenError struct {
	Message, Hint string
	Err           error // the cause; may be nil
}

func (e *ListenError) Error() string { return "listen: " + e.Message }

func (e *ListenError) Unwrap() error { return e.Err }

// Listen listens on HOST:PORT, or on unix:PATH, a socket that only its owner may open. A socket that systemd hands over goes before both.
// Errors are *ListenError.
func Listen(address string) (net.Listener, error) {
	handed, err := activation.Listeners()
	if err != nil {
		return nil, &ListenError{Message: "the socket that systemd handed over cannot be used", Err: err}
	}
	if len(handed) > 0 {
		return theOne(handed)
	}
	if path, ok := strings.CutPrefix(address, "unix:"); ok {
		return listenUnix(path)
	}
	if _, _, err := net.SplitHostPort(address); err != nil {
		return nil, &ListenError{"this is no address to listen on", "write it as HOST:PORT, such as " + DefaultAddress + ", or as unix:PATH", err}
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, &ListenError{"nobody can listen on " + address + ": " + reason(err), "choose another with --addr", err}
	}
	return l, nil
}

// theOne returns the one listener of several.
func theOne(all []net.Listener) (net.Listener, error) {
	if len(all) == 1 && all[0] != nil {
		return all[0], nil
	}
	for _, l := range all {
		if l != nil {
			_ = l.Close() // it is not used
		}
	}
	return nil, &ListenError{
		Message: fmt.Sprintf("systemd handed over %d sockets, and one stream socket is what is needed", len(all)), Hint: "give the socket unit one ListenStream=",
	}
}

func listenUnix(path string) (net.Listener, error) {
	if path == "" || strings.HasPrefix(path, "@") {
		return nil, &ListenError{Message: "a unix socket needs a path", Hint: "write unix:/run/user/1000/lens.sock"}
	}
	if err := removeStale(path); err != nil {
		return nil, err
	}
	l, err := listenPrivately(path)
	if err != nil {
		return nil, &ListenError{"nobody can listen on " + path + ": " + reason(err), "choose another path with --addr unix:PATH", err}
	}
	return l, nil
}

// removeStale removes a socket that a server which did not end well has left behind.
func removeStale(path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode()&fs.ModeSocket == 0 {
		return nil // if something else is there, who listens is told
	}
	if c, err := net.Dial("unix", path); err == nil {
		_ = c.Close()
		return &ListenError{Message: "another server listens on " + path, Hint: "end it, or choose another path"}
	}
	if err := os.Remove(path); err != nil {
		return &ListenError{"the socket " + path + " is in the way and cannot be removed: " + reason(err), "remove it, or choose another path", err}
	}
	return nil
}

// reason is what the operating system says, without the operation and the path.
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
