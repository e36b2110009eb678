package sandbox

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"slices"
	"strings"
	"syscall"
	"time"
)

// ErrOffline is the error of a dial that would leave the machine.
var ErrOffline = errors.New("offline: only loopback addresses are allowed")

// guardedDialer dials loopback addresses and unix sockets only. Its Control function sees the final address, after name
// resolution and redirects. Its resolver is restricted in the same way.
var guardedDialer = &net.Dialer{
	Timeout: 10 * time.Second, KeepAlive: 30 * time.Second, Control: allowLocal,
	Resolver: &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
		return (&net.Dialer{Control: allowLocal}).DialContext(ctx, network, address)
	}},
}

// allowLocal is allowLoopback, but also refuses name servers on loopback, which forward queries to other machines and
// so disclose names. A name server given to Enter is allowed.
func allowLocal(network, address string, raw syscall.RawConn) error {
	if err := allowLoopback(network, address, raw); err != nil || network == "unix" {
		return err
	}
	process.Lock()
	defer process.Unlock()
	isAllowed := slices.ContainsFunc(process.allowed, func(named string) bool { return sameAddress(named, address) })
	if isNameServer(address) && !isAllowed {
		return ErrOffline
	}
	return nil
}

// isNameServer reports whether the port of a loopback address is one of a name server (RFC 1035, 4.2; RFC 7858, 3.1;
// RFC 6762, 3).
func isNameServer(address string) bool {
	_, port, err := net.SplitHostPort(address)
	return err != nil || slices.Contains([]string{"53", "853", "5353"}, port)
}

// sameAddress reports whether a configured address may have been resolved to address.
func sameAddress(named, address string) bool {
	host, port, err := net.SplitHostPort(named)
	if err == nil && strings.EqualFold(host, "localhost") {
		_, dialed, err := net.SplitHostPort(address)
		return err == nil && dialed == port
	}
	a, err := netip.ParseAddrPort(named)
	b, failed := netip.ParseAddrPort(address)
	return err == nil && failed == nil && a.Port() == b.Port() && a.Addr().Unmap() == b.Addr().Unmap()
}

func allowLoopback(network, address string, _ syscall.RawConn) error {
	if network == "unix" {
		return nil
	}
	to, err := netip.ParseAddrPort(address)
	if err != nil || !to.Addr().Unmap().IsLoopback() {
		return ErrOffline
	}
	return nil
}
