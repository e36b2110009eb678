package sandbox

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"syscall"
	"time"
)

// Attempt is the result of trying one way to reach another machine.
type Attempt struct {
	Method  string
	Refused bool
	Err     error // nil if the attempt got through
}

// errNotTried is the error of an attempt that is not made because nothing here would block it.
var errNotTried = errors.New("not tried: nothing blocks it here")

// Destinations of the attempts, from ranges reserved for documentation, where no host exists (RFC 5737 and RFC 3849).
const (
	unreachable4     = "192.0.2.1:9"
	unreachable6     = "[2001:db8::1]:9"
	unresolvableName = "lens.invalid."
)

// selfTestEnv makes a process of this program try to reach the network and exit with the result.
const (
	selfTestEnv = "LENS_PROVE"
	exitReached = 1
	exitRefused = 0
	tryTimeout  = 2 * time.Second
)

// SelfTest tries every way to reach another machine, using the standard library or system calls rather than Lens's own
// dialer. Under Guard, it does not try what Guard cannot block.
func SelfTest(ctx context.Context) []Attempt {
	tries := []struct {
		method  string
		guarded bool // Guard blocks it, too, if Lens's own code does it
		try     func(ctx context.Context, dial dialer) error
	}{
		{"TCP", true, func(ctx context.Context, dial dialer) error { return closeConn(dial(ctx, "tcp4", unreachable4)) }},
		{"UDP", true, func(ctx context.Context, dial dialer) error { return closeConn(dial(ctx, "udp4", unreachable4)) }},
		{"IPv6", true, func(ctx context.Context, dial dialer) error { return closeConn(dial(ctx, "tcp6", unreachable6)) }},
		{"DNS", true, tryDNS},
		{"proxy variables", true, tryProxy},
		{"MPTCP", false, func(context.Context, dialer) error { return tryMPTCP() }},
		{"child process", false, tryChild},
	}
	blocked := Active() == Seccomp
	dial := guardedDialer.DialContext
	if blocked {
		dial = (&net.Dialer{}).DialContext
	}
	attempts := make([]Attempt, 0, len(tries))
	for _, t := range tries {
		a := Attempt{Method: t.method, Err: errNotTried}
		if blocked || t.guarded && Active() == Guard {
			ctx, cancel := context.WithTimeout(ctx, tryTimeout)
			a.Err = t.try(ctx, dial)
			cancel()
		}
		a.Refused = isRefusal(a.Err)
		attempts = append(attempts, a)
	}
	return attempts
}

type dialer = func(ctx context.Context, network, address string) (net.Conn, error)

// closeConn closes a connection that should not have been possible.
func closeConn(conn net.Conn, err error) error {
	if err == nil {
		_ = conn.Close()
	}
	return err
}

// isRefusal reports whether err comes from the filter or the guard, rather than from a network that happens to be down.
func isRefusal(err error) bool {
	return errors.Is(err, syscall.EACCES) || errors.Is(err, fs.ErrPermission) ||
		errors.Is(err, ErrOffline) || errors.Is(err, errRefused)
}

var errRefused = errors.New("refused")

// tryDNS queries the system's name server, which is often on loopback and forwards queries. The resolver hides its
// dialer's error and looks up both address families at once, so tryDNS keeps the first dial error itself.
func tryDNS(ctx context.Context, dial dialer) error {
	first := make(chan error, 1)
	r := net.Resolver{PreferGo: true, Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		select {
		case first <- err:
		default:
		}
		return conn, err
	}}
	_, err := r.LookupHost(ctx, unresolvableName)
	select {
	case dialed := <-first:
		return dialed
	default:
		return err // the resolver contacted no name server
	}
}

// tryProxy requests a page through a proxy, as a library would that honors the proxy variables.
func tryProxy(ctx context.Context, dial dialer) error {
	proxy := &url.URL{Scheme: "http", Host: unreachable4}
	transport := &http.Transport{Proxy: http.ProxyURL(proxy), DialContext: dial, DisableKeepAlives: true}
	client := &http.Client{Transport: transport}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+unresolvableName+"/", nil)
	if err != nil {
		return err
	}
	response, err := client.Do(request)
	if err == nil {
		_ = response.Body.Close()
	}
	return err
}

// tryChild starts a child process that tries to reach the network.
func tryChild(ctx context.Context, _ dialer) error {
	cmd := Command(ctx)
	cmd.Env = append(os.Environ(), selfTestEnv+"=1")
	if err := cmd.Run(); err != nil {
		return errors.New("a child process reached the network or did not start")
	}
	return errRefused
}

func selfTestChild() (code int) {
	ctx, cancel := context.WithTimeout(context.Background(), tryTimeout)
	defer cancel()
	for _, network := range []string{"tcp4", "udp4"} {
		if err := closeConn((&net.Dialer{}).DialContext(ctx, network, unreachable4)); !isRefusal(err) {
			return exitReached
		}
	}
	return exitRefused
}
