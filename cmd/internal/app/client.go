package app

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

// newClient returns the client through which texts may leave the machine. It follows no redirect to another host, which
// would receive the texts; offline it dials loopback only. It sets no deadline for a request: the caller does.
func newClient(offline bool) *http.Client {
	return &http.Client{Transport: newTransport(offline), CheckRedirect: sameHost}
}

// newTransport returns the transport of all HTTP requests that may leave the machine.
func newTransport(offline bool) *http.Transport {
	transport := &http.Transport{
		Proxy: http.ProxyFromEnvironment, DialContext: dialer(offline), ForceAttemptHTTP2: true,
		MaxIdleConnsPerHost: 8, IdleConnTimeout: time.Minute, TLSHandshakeTimeout: 10 * time.Second,
		ExpectContinueTimeout: time.Second,
	}
	if offline {
		transport.Proxy = nil
	}
	return transport
}

// dialer returns the function that opens every connection of this process.
func dialer(offline bool) func(ctx context.Context, network, address string) (net.Conn, error) {
	if offline {
		return sandbox.DialContext
	}
	return (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext
}

// stayEncrypted allows redirects of a download, which hubs use for large files, but not from https to http.
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

// mayReach returns why a host must not be dialed, nil if it may. The only name that counts as loopback is localhost:
// names are not resolved, because a DNS query is a packet too.
func (l *App) mayReach(host string) error {
	if !l.cfg.Offline || isLoopback(host) {
		return nil
	}
	return &errs.Error{
		Code: errs.Blocked, Op: "offline",
		Message: "--offline blocks connections to " + host,
		Hint:    "leave out --offline, or use a server on this machine",
	}
}

func isLoopback(host string) bool {
	// An empty host and a path are Unix sockets of Postgres.
	if host == "" || strings.EqualFold(host, "localhost") || strings.HasPrefix(host, "/") {
		return true
	}
	address, err := netip.ParseAddr(host)
	return err == nil && address.Unmap().IsLoopback()
}

// hostname returns the host of a URL without its port, "" if there is none.
func hostname(rawURL string) string {
	u, err := url.Parse(rawURL)
	if err != nil {
		return ""
	}
	return u.Hostname()
}
