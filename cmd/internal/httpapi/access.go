package httpapi

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
)

// access decides who may send a request, and how often.
type access struct {
	keys          keyring
	hosts         hostList
	origins       *http.CrossOriginProtection
	byAddr, byKey *limiters
}

func newAccess(opts Options) *access {
	return &access{
		keys: newKeyring(opts.Keys), hosts: newHostList(opts.Hosts), origins: http.NewCrossOriginProtection(),
		byAddr: newLimiters(opts.Rate), byKey: newLimiters(opts.Rate),
	}
}

// protect refuses requests with a wrong host or origin and limits their rate and body size. The router checks API keys,
// with authorize.
func (a *access) protect(next http.Handler, failed failures) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		setSecurityHeaders(w.Header())
		if reason, err := a.check(r); err != nil {
			recordOf(r).route = reason
			failed.fail(w, r, err)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		next.ServeHTTP(w, r)
	})
}

// check returns why a request is refused, for the log and for the client.
func (a *access) check(r *http.Request) (reason string, err error) {
	switch {
	case !a.hosts.allow(r):
		return "wrong host", &problem{
			Code: codeWrongHost, Message: "Unknown host name, or a port that is not a number.",
			Hint: "On the server: allow the name with lens serve --allow-host.",
		}
	case a.origins.Check(r) != nil || !sameOrigin(r):
		return "wrong origin", &problem{Code: codeForbidden, Message: "Cross-origin requests are not allowed."}
	}
	if wait, ok := a.byAddr.take(addressGroup(r)); !ok {
		return "too often", rateLimited(wait)
	}
	return "", nil
}

// isCleanPath reports whether http.ServeMux looks a path up unchanged. It redirects or refuses other paths itself,
// without our access checks and error format.
func isCleanPath(u *url.URL) bool {
	asked := u.EscapedPath()
	clean := path.Clean(asked)
	return strings.HasPrefix(asked, "/") && (asked == clean || asked == clean+"/")
}

// authorize checks the API key of a request.
func (a *access) authorize(r *http.Request) error {
	if len(a.keys) == 0 {
		return nil
	}
	id, ok := a.keys.find(r.Header.Get("Authorization"))
	if !ok {
		return &problem{
			Code:    codeUnauthorized,
			Message: "An API key is required.",
			Hint:    "Send Authorization: Bearer KEY with a key from LENS_API_KEYS.",
		}
	}
	if wait, ok := a.byKey.take(id); !ok {
		return rateLimited(wait)
	}
	return nil
}

// setSecurityHeaders restricts what browsers do with a response.
func setSecurityHeaders(h http.Header) {
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
}

// hostList is the list of accepted host names. A page that makes its own name resolve to this machine (DNS rebinding)
// still sends that name.
type hostList []string

func newHostList(more []string) hostList {
	all := hostList{"localhost"}
	for _, name := range more {
		all = append(all, normalizeHost(name))
	}
	return all
}

// allow reports whether a request names an accepted host, or the address that it arrived at.
func (l hostList) allow(r *http.Request) bool {
	host := normalizeHost(r.Host)
	if host == "" || !hasValidPort(r.Host) {
		return false
	}
	if slices.Contains(l, host) {
		return true
	}
	called, err := netip.ParseAddr(host)
	if err != nil {
		return false
	}
	local, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	own, err := netip.ParseAddrPort(addressString(local))
	return err == nil && own.Addr().Unmap().WithZone("") == called.Unmap().WithZone("")
}

func addressString(a net.Addr) string {
	if a == nil {
		return ""
	}
	return a.String()
}

// hasValidPort reports whether the port of a host, if it has one, is a number. Which one does not matter: tunnels and
// proxies change it.
func hasValidPort(host string) bool {
	name, port, err := net.SplitHostPort(host)
	if err != nil {
		bare := strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
		_, failed := netip.ParseAddr(bare)
		return failed == nil || !strings.Contains(host, ":")
	}
	_, err = strconv.ParseUint(port, 10, 16)
	return err == nil && name != ""
}

// normalizeHost removes port, brackets and trailing dot, and lowercases.
func normalizeHost(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

// sameOrigin reports false for requests from another site, whatever the method. http.CrossOriginProtection allows GET,
// but here GET returns what is worth protecting.
func sameOrigin(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
	default:
		return false
	}
	origins := r.Header.Values("Origin")
	if len(origins) == 0 {
		return true
	}
	u, err := url.Parse(origins[0])
	return err == nil && len(origins) == 1 && u.Host != "" && strings.EqualFold(u.Host, r.Host)
}

// address returns the address in http.Request.RemoteAddr without its port; "local" for a unix socket.
func address(remote string) string {
	from, err := netip.ParseAddrPort(remote)
	if err != nil {
		return "local"
	}
	return from.Addr().Unmap().WithZone("").String()
}

// addressGroup returns the address to which rate limits apply: for IPv6, the /64 prefix, all of which one host may own.
func addressGroup(r *http.Request) string {
	from := address(r.RemoteAddr)
	a, err := netip.ParseAddr(from)
	if err != nil || a.Is4() || a.IsLoopback() {
		return from
	}
	group, err := a.Prefix(64)
	if err != nil {
		return a.String()
	}
	return group.String()
}
