// Package network says what this process may reach. All connections of Lens are opened through it: with --offline, to
// this machine only.
package network

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"lens/internal/errs"
	"lens/internal/sandbox"
)

// Policy says what may be reached. The zero value allows everything.
type Policy struct {
	Offline bool // loopback only
}

// Client returns a client that texts may be sent with. It follows no redirect to another host, which would receive the
// texts. It sets no deadline for a request: the caller does.
func (p Policy) Client() *http.Client {
	return &http.Client{Transport: p.Transport(), CheckRedirect: sameHost}
}

// DownloadClient returns a client that sends no texts. It follows redirects, but not from https to http.
func (p Policy) DownloadClient() *http.Client {
	return &http.Client{Transport: p.Transport(), CheckRedirect: stayEncrypted}
}

// Transport returns a transport for HTTP requests that may leave the machine.
func (p Policy) Transport() *http.Transport {
	transport := &http.Transport{
		Proxy: http.ProxyFromEnvironment, DialContext: p.Dialer(), ForceAttemptHTTP2: true,
		MaxIdleConnsPerHost: 8, IdleConnTimeout: time.Minute, TLSHandshakeTimeout: 10 * time.Second,
		ExpectContinueTimeout: time.Second,
	}
	if p.Offline {
		transport.Proxy = nil
	}
	return transport
}

// Dialer returns the function that opens every connection of this process.
func (p Policy) Dialer() func(ctx context.Context, network, address string) (net.Conn, error) {
	if p.Offline {
		return sandbox.DialContext
	}
	return (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext
}

// MayReach returns why a host must not be dialed, nil if it may. The only name that counts as loopback is localhost:
// names are not resolved, because a DNS query is a packet too. Errors: blocked.
func (p Policy) MayReach(host string) error {
	if !p.Offline || IsLoopback(host) {
		return nil
	}
	return &errs.Error{
		Code: errs.Blocked, Op: "offline",
		Message: "--offline blocks connections to " + host,
		Hint:    "leave out --offline, or use a server on this machine",
	}
}

// MayReachDatabase returns why the server of a connection string must not be dialed, nil if it may. Errors: blocked.
func (p Policy) MayReachDatabase(databaseURL string) error {
	for _, host := range databaseHosts(databaseURL) {
		if err := p.MayReach(host); err != nil {
			return err
		}
	}
	return nil
}

// IsLoopback reports whether a host is this machine.
func IsLoopback(host string) bool {
	// An empty host and a path are Unix sockets of Postgres.
	if host == "" || strings.EqualFold(host, "localhost") || strings.HasPrefix(host, "/") {
		return true
	}
	address, err := netip.ParseAddr(host)
	return err == nil && address.Unmap().IsLoopback()
}

// Hostname returns the host of a URL without its port, "" if there is none.
func Hostname(rawURL string) string {
	u, err := url.Parse(rawURL)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// stayEncrypted allows redirects to other hosts, which hubs use for large files.
func stayEncrypted(next *http.Request, before []*http.Request) error {
	if before[len(before)-1].URL.Scheme == "https" && next.URL.Scheme != "https" {
		return errors.New("redirected to an unencrypted server")
	}
	if len(before) >= 10 {
		return errors.New("too many redirects")
	}
	return nil
}

func sameHost(next *http.Request, before []*http.Request) error {
	if next.URL.Host != before[0].URL.Host || next.URL.Scheme != before[0].URL.Scheme {
		return errors.New("redirected to another server")
	}
	if len(before) >= 5 {
		return errors.New("too many redirects")
	}
	return nil
}
