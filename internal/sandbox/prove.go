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

// Attempt is one way to another machine, tried.
type Attempt struct {
	Means   string
	Refused bool
	Err     error // what trying it gave; nil when it got out
}

// errUntried is the error of what is not tried, because nothing here would hold it back.
var errUntried = errors.New("not tried: nothing here refuses it")

// The addresses that are tried: of the blocks kept for documentation, where nobody is (RFC 5737 and RFC 3849).
const (
	nowhere4 = "192.0.2.1:9"
	nowhere6 = "[2001:db8::1]:9"
	aName    = "lens.invalid."
)

// proveEnv makes a process of this program try once to get out, and end with what came of it.
const (
	proveEnv    = "LENS_PROVE"
	gotOut      = 1
	gotRefused  = 0
	tryPatience = 2 * time.Second
)

// Prove tries what could leave the machine, each in the plainest way: with the standard library or the system call, not with Lens's own
// dialer. Where only Guard is active, what it does not hold back is not tried.
func Prove(ctx context.Context) []Attempt {
	tries := []struct {
		means   string
		guarded bool // Guard holds it back too, when Lens itself does it
		try     func(ctx context.Context, dial dialer) error
	}{
		{"TCP", true, func(ctx context.Context, dial dialer) error { return hangUp(dial(ctx, "tcp4", nowhere4)) }},
		{"UDP", true, func(ctx context.Context, dial dialer) error { return hangUp(dial(ctx, "udp4", nowhere4)) }},
		{"IPv6", true, func(ctx context.Context, dial dialer) error { return hangUp(dial(ctx, "tcp6", nowhere6)) }},
		{"DNS", true, tryDNS},
		{"proxy variables", true, tryProxy},
		{"MPTCP", false, func(context.Context, dialer) error { return tryMPTCP() }},
		{"child process", false, tryChild},
	}
	blocked := Active() == Seccomp
	dial := guarded.DialContext
	if blocked {
		dial = (&net.Dialer{}).DialContext
	}
	attempts := make([]Attempt, 0, len(tries))
	for _, t := range tries {
		a := Attempt{Means: t.means, Err: errUntried}
		if blocked || t.guarded && Active() == Guard {
			ctx, cancel := context.WithTimeout(ctx, tryPatience)
			a.Err = t.try(ctx, dial)
			cancel()
		}
		a.Refused = isRefusal(a.Err)
		attempts = append(attempts, a)
	}
	return attempts
}

type dialer = func(ctx context.Context, network, address string) (net.Conn, error)

// hangUp closes what should not have been had.
func hangUp(conn net.Conn, err error) error {
	if err == nil {
		_ = conn.Close()
	}
	return err
}

// isRefusal reports whether err is that of the filter or of the guard, and not that of a network that happens to be down.
func isRefusal(err error) bool {
	return errors.Is(err, syscall.EACCES) || errors.Is(err, fs.ErrPermission) || errors.Is(err, ErrOffline) || errors.Is(err, errRefused)
}

var errRefused = errors.New("refused")

// tryDNS asks the name server that this system asks, which is often on loopback and asks others. The resolver forgets what its dialer answered, and asks
// for both kinds of address at once, so the first answer is kept here.
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
	_, err := r.LookupHost(ctx, aName)
	select {
	case dialled := <-first:
		return dialled
	default:
		return err // no name server was asked at all
	}
}

// tryProxy asks for a page through the proxy that the variables name, as a library would that knows nothing of Lens.
func tryProxy(ctx context.Context, dial dialer) error {
	proxy := &url.URL{Scheme: "http", Host: nowhere4}
	client := &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(proxy), DialContext: dial, DisableKeepAlives: true}}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+aName+"/", nil)
	if err != nil {
		return err
	}
	response, err := client.Do(request)
	if err == nil {
		_ = response.Body.Close()
	}
	return err
}

// tryChild starts a process that tries.
func tryChild(ctx context.Context, _ dialer) error {
	cmd := Command(ctx)
	cmd.Env = append(os.Environ(), proveEnv+"=1")
	if err := cmd.Run(); err != nil {
		return errors.New("a child process got out, or could not be started")
	}
	return errRefused
}

func proveInChild() (code int) {
	ctx, cancel := context.WithTimeout(context.Background(), tryPatience)
	defer cancel()
	for _, network := range []string{"tcp4", "udp4"} {
		if err := hangUp((&net.Dialer{}).DialContext(ctx, network, nowhere4)); !isRefusal(err) {
			return gotOut
		}
	}
	return gotRefused
}
