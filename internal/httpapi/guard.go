package httpapi

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"slices"
	"strings"
)

// guarded lets through what may be asked here at all. Whoever asks for a route is looked at by admit.
func (s *Server) guarded(next http.Handler) http.Handler {
	check := http.NewCrossOriginProtection()
	elsewhere := s.serve(route{path: "nowhere", handle: s.nowhere})
	return s.traced(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		dress(w.Header())
		x := exchangeOf(r)
		switch {
		case !s.hosts.allow(r):
			x.route = "wrong host"
			s.fail(w, r, &problem{Code: codeWrongHost, Message: "This server is not called so. lens serve --allow-host gives it another name."})
		case check.Check(r) != nil || !sameOrigin(r):
			x.route = "wrong origin"
			s.fail(w, r, &problem{Code: codeForbidden, Message: "Pages of other sites may not ask this server."})
		default:
			if wait, ok := s.byAddr.take(addressGroup(r)); !ok {
				x.route = "too often"
				s.fail(w, r, tooOften(wait))
				return
			}
			r.Body = http.MaxBytesReader(w, r.Body, MaxBody)
			if !isPlain(r.URL) {
				elsewhere.ServeHTTP(w, r)
				return
			}
			next.ServeHTTP(w, r)
		}
	}))
}

// isPlain reports whether http.ServeMux looks a path up as it is. Others it redirects or refuses, in words of its own and whoever asks.
func isPlain(u *url.URL) bool {
	asked := u.EscapedPath()
	clean := path.Clean(asked)
	return strings.HasPrefix(asked, "/") && (asked == clean || asked == clean+"/")
}

// admit looks at the key of a request.
func (s *Server) admit(r *http.Request) error {
	if len(s.keys) == 0 {
		return nil
	}
	id, ok := s.keys.find(r.Header.Get("Authorization"))
	if !ok {
		return &problem{Code: codeUnauthorized, Message: "This takes an API key: Authorization: Bearer KEY, one of those in LENS_API_KEYS."}
	}
	if wait, ok := s.byKey.take(id); !ok {
		return tooOften(wait)
	}
	return nil
}

// dress sets the headers that keep browsers from doing anything clever with an answer.
func dress(h http.Header) {
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
}

// hostList is the names by which the server may be called. A page that has its own name resolve to this machine (DNS rebinding) still
// calls the server by that name.
type hostList []string

func newHostList(more []string) hostList {
	all := hostList{"localhost"}
	for _, name := range more {
		all = append(all, plainHost(name))
	}
	return all
}

// allow reports whether a request calls the server by one of its names, or by the very address that it came in by.
func (l hostList) allow(r *http.Request) bool {
	host := plainHost(r.Host)
	if host == "" {
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

// plainHost is a host without port, brackets, the dot at its end and capitals.
func plainHost(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

// sameOrigin refuses what a browser says comes from another site, whatever the method: http.CrossOriginProtection lets those through that
// should change nothing, and here those are what is worth reading.
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

// address returns an address, as http.Request.RemoteAddr has it, without port; "local" for a unix socket.
func address(remote string) string {
	from, err := netip.ParseAddrPort(remote)
	if err != nil {
		return "local"
	}
	return from.Addr().Unmap().WithZone("").String()
}

// addressGroup is what counts as one address: of the 2^64 that a single host has in version 6, all.
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
