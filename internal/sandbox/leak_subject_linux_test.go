//go:build system && linux && (amd64 || arm64)

package sandbox_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"time"

	"golang.org/x/sys/unix"

	"lens/internal/sandbox"
)

func init() {
	roles["sealed"] = func() int { return playSubject(true) }
	roles["open"] = func() int { return playSubject(false) }
	roles["child"] = playChild
}

const (
	redirectEnv = "LENS_TEST_REDIRECT"
	payload     = "lens leaks"
	etherType   = 0x88B5 // for experiments (IEEE 802)
	vsockPort   = 7077
	plantedFD   = 3
)

// wayOut is one way to reach another machine, tried as directly as possible.
type wayOut struct {
	name string
	port int // where its arrival is counted; 0: counted otherwise
	try  func(s *subject, port int) error
}

var waysOut []wayOut

func init() {
	waysOut = []wayOut{
		{"TCP", 1001, func(_ *subject, port int) error { return connect(unix.AF_INET, unix.SOCK_STREAM, 0, port) }},
		{"TCP on an old thread", 1002, func(s *subject, port int) error {
			return s.onOldThread(func() error { return connect(unix.AF_INET, unix.SOCK_STREAM, 0, port) })
		}},
		{"TCP by the library", 1003, func(_ *subject, port int) error { return dial("tcp", fmt.Sprintf("%s:%d", outside4, port)) }},
		{"TCP over IPv6", 1004, func(_ *subject, port int) error { return dial("tcp", fmt.Sprintf("[%s]:%d", outside6, port)) }},
		{"mapped IPv6", 1005, func(_ *subject, port int) error { return dial("tcp", fmt.Sprintf("[::ffff:%s]:%d", outside4, port)) }},
		{"MPTCP", 1006, func(_ *subject, port int) error {
			return connect(unix.AF_INET, unix.SOCK_STREAM, unix.IPPROTO_MPTCP, port)
		}},
		{"UDP", 1007, func(_ *subject, port int) error { return connect(unix.AF_INET, unix.SOCK_DGRAM, 0, port) }},
		{"DNS", 1008, func(_ *subject, port int) error { return lookUp("example.com", port) }},
		{"address as a number", 1009, func(_ *subject, port int) error { return lookUp("0xcb007107", port) }}, // a name to Go, and so a question; a decimal one it does not ask for
		{"child process", 1010, func(_ *subject, port int) error { return inChild(port) }},
		{"proxy variables", 1011, func(*subject, int) error { return get(http.DefaultClient, "http://lens.invalid/") }},
		{"redirect", 1012, func(s *subject, _ int) error { return s.followRedirect() }},
		{"planted descriptor", 1013, func(*subject, int) error { return usePlanted() }},
		{"raw", 0, func(*subject, int) error { return sendICMP() }},
		{"packet", 0, func(*subject, int) error { return sendFrame() }},
		{"vsock", 0, func(*subject, int) error { return connectVsock() }},
	}
}

// subject is the process that tries to get out.
type subject struct {
	sealed bool
	work   chan func() // for a thread that is older than the filter
}

func playSubject(sealed bool) int {
	s := &subject{sealed: sealed, work: make(chan func())}
	started := make(chan struct{})
	go func() {
		runtime.LockOSThread()
		close(started)
		for do := range s.work {
			do()
		}
	}()
	<-started
	if sealed {
		m, err := sandbox.Enter([]string{os.Getenv(redirectEnv)})
		if m != sandbox.Seccomp {
			fmt.Fprintln(os.Stderr, "not sealed but", m, err)
			return 1
		}
	}
	findings := map[string]finding{}
	for _, w := range waysOut {
		var f finding
		if err := w.try(s, w.port); err != nil {
			f.Err, f.Refused = err.Error(), isRefusal(err)
			f.Lacking = errors.Is(err, unix.EAFNOSUPPORT) || errors.Is(err, unix.ENODEV) || errors.Is(err, unix.EPROTONOSUPPORT) ||
				w.name == "vsock" && errors.Is(err, unix.ETIMEDOUT)
		}
		findings[w.name] = f
	}
	if sealed {
		if _, err := sandbox.Verify(); err != nil {
			fmt.Fprintln(os.Stderr, "sealed, and not found to be:", err)
			return 1
		}
	}
	if json.NewEncoder(os.Stdout).Encode(findings) != nil {
		return 1
	}
	return 0
}

// isRefusal also accepts a closed descriptor, which cannot be used either.
func isRefusal(err error) bool {
	return errors.Is(err, unix.EACCES) || errors.Is(err, unix.EBADF) || errors.Is(err, unix.ENOTSOCK) || errors.Is(err, sandbox.ErrOffline)
}

func (s *subject) onOldThread(do func() error) error {
	result := make(chan error)
	s.work <- func() { result <- do() }
	return <-result
}

// connect sends to the outside through a new socket, using system calls.
func connect(family, kind, protocol, port int) error {
	fd, err := unix.Socket(family, kind|unix.SOCK_CLOEXEC, protocol)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	to := &unix.SockaddrInet4{Port: port, Addr: [4]byte(net.ParseIP(outside4).To4())}
	if err := unix.Connect(fd, to); err != nil {
		return err
	}
	_, err = unix.Write(fd, []byte(payload))
	return err
}

func dial(network, address string) error {
	conn, err := net.DialTimeout(network, address, 2*time.Second)
	if err != nil {
		return err
	}
	return conn.Close()
}

// lookUp sends a DNS query to the outside. A resolver hides its dialer's error, so lookUp captures it.
func lookUp(name string, port int) error {
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	asked := make(chan error, 1)
	r := net.Resolver{PreferGo: true, Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
		conn, err := new(net.Dialer).DialContext(ctx, network, fmt.Sprintf("%s:%d", outside4, port))
		select {
		case asked <- err:
		default: // the resolver dials several times
		}
		return conn, err
	}}
	_, _ = r.LookupHost(ctx, name) // no server answers
	return <-asked
}

func inChild(port int) error {
	cmd := exec.Command("/proc/self/exe")
	cmd.Env = append(os.Environ(), roleEnv+"=child", fmt.Sprintf("LENS_TEST_PORT=%d", port))
	out, err := cmd.CombinedOutput()
	if err == nil {
		return nil
	}
	if string(out) == "EACCES" {
		return unix.EACCES
	}
	return fmt.Errorf("%w: %s", err, out)
}

func playChild() int {
	var port int
	if _, err := fmt.Sscan(os.Getenv("LENS_TEST_PORT"), &port); err != nil {
		return 2
	}
	err := connect(unix.AF_INET, unix.SOCK_STREAM, 0, port)
	if errors.Is(err, unix.EACCES) {
		fmt.Print("EACCES")
	} else if err != nil {
		fmt.Print(err)
	}
	if err != nil {
		return 1
	}
	return 0
}

func get(client *http.Client, url string) error {
	client.Timeout = 2 * time.Second
	response, err := client.Get(url)
	if err != nil {
		if errors.Is(err, unix.EACCES) || errors.Is(err, sandbox.ErrOffline) {
			return err
		}
		return nil // the outside was reached and hung up
	}
	return response.Body.Close()
}

// followRedirect requests a loopback server that redirects outside.
func (s *subject) followRedirect() error {
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	if s.sealed {
		client.Transport = &http.Transport{DialContext: sandbox.DialContext, DisableKeepAlives: true}
	}
	return get(client, "http://"+os.Getenv(redirectEnv)+"/")
}

func usePlanted() error {
	_, err := unix.Write(plantedFD, []byte(payload))
	if kind, optErr := unix.GetsockoptInt(plantedFD, unix.SOL_SOCKET, unix.SO_TYPE); err == nil && (optErr != nil || kind != unix.SOCK_DGRAM) {
		return unix.EBADF // the number belongs to another descriptor now
	}
	return err
}

func sendICMP() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.IPPROTO_ICMP)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	echo := append([]byte{8, 0, 0, 0, 0, 1, 0, 1}, payload...)
	return unix.Sendto(fd, echo, 0, &unix.SockaddrInet4{Addr: [4]byte(net.ParseIP(outside4).To4())})
}

func sendFrame() error {
	fd, err := unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, int(hostToNet(etherType)))
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	frame := append(make([]byte, 12), etherType>>8, etherType&0xff)
	frame = append(frame, payload...)
	return unix.Sendto(fd, append(frame, make([]byte, 64)...), 0, &unix.SockaddrLinklayer{Protocol: hostToNet(etherType), Ifindex: 1, Halen: 6})
}

func connectVsock() error {
	fd, err := unix.Socket(unix.AF_VSOCK, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	soon := unix.Timeval{Usec: 100_000}
	if err := unix.SetsockoptTimeval(fd, unix.AF_VSOCK, unix.SO_VM_SOCKETS_CONNECT_TIMEOUT_OLD, &soon); err != nil {
		return err
	}
	return unix.Connect(fd, &unix.SockaddrVM{CID: unix.VMADDR_CID_LOCAL, Port: vsockPort})
}
