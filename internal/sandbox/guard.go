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

// ErrOffline is what a dialer answers that may not leave the machine.
var ErrOffline = errors.New("offline: only loopback may be dialled")

// guarded dials loopback and unix sockets only. It is asked after names were resolved and redirects followed, about the address itself; the
// resolver it asks for names is held to the same.
var guarded = &net.Dialer{
	Timeout: 10 * time.Second, KeepAlive: 30 * time.Second, Control: onlyHere,
	Resolver: &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
		return (&net.Dialer{Control: onlyHere}).DialContext(ctx, network, address)
	}},
}

// onlyHere also refuses the name server on loopback, unless Enter was told to reach it: it asks others, and they learn the name.
func onlyHere(network, address string, raw syscall.RawConn) error {
	if err := onlyLoopback(network, address, raw); err != nil || network == "unix" {
		return err
	}
	process.Lock()
	defer process.Unlock()
	if asksOthers(address) && !slices.ContainsFunc(process.reach, func(named string) bool { return isSame(named, address) }) {
		return ErrOffline
	}
	return nil
}

// asksOthers reports whether a loopback address is that of a name server (RFC 1035, 4.2; RFC 7858, 3.1; RFC 6762, 3).
func asksOthers(address string) bool {
	_, port, err := net.SplitHostPort(address)
	return err != nil || slices.Contains([]string{"53", "853", "5353"}, port)
}

// isSame reports whether an address that was named is the one that it was resolved to.
func isSame(named, address string) bool {
	host, port, err := net.SplitHostPort(named)
	if err == nil && strings.EqualFold(host, "localhost") {
		_, dialled, err := net.SplitHostPort(address)
		return err == nil && dialled == port
	}
	a, err := netip.ParseAddrPort(named)
	b, failed := netip.ParseAddrPort(address)
	return err == nil && failed == nil && a.Port() == b.Port() && a.Addr().Unmap() == b.Addr().Unmap()
}

func onlyLoopback(network, address string, _ syscall.RawConn) error {
	if network == "unix" {
		return nil
	}
	to, err := netip.ParseAddrPort(address)
	if err != nil || !to.Addr().Unmap().IsLoopback() {
		return ErrOffline
	}
	return nil
}
