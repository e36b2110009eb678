//go:build linux && (amd64 || arm64)

package sandbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// broker is the connection to a helper process outside the filter, which connects to fixed loopback addresses and
// passes the connected sockets back. The helper only ever learns the index of an address: data on a connection does not
// pass through it. It exits with this process.
type broker struct {
	allowed []string

	mu          sync.Mutex
	lastRequest byte // request number, to drop the late reply to a canceled request
	conn        *net.UnixConn
}

const (
	brokerFD      = 3 // the descriptor of a broker's socket
	brokerTimeout = 10 * time.Second
	maxAllowed    = 64
)

// startBroker starts the helper process. It returns nil if there is nothing to connect to.
func startBroker(allowed []string) (*broker, error) {
	for _, address := range allowed {
		if _, err := resolveLoopback(address); err != nil {
			return nil, failure("the broker connects only to loopback", err)
		}
	}
	if len(allowed) == 0 {
		return nil, nil
	}
	if len(allowed) > maxAllowed {
		return nil, failure(fmt.Sprintf("the broker connects to at most %d addresses", maxAllowed), nil)
	}
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, failure("the loopback broker did not start", err)
	}
	ours, theirs := os.NewFile(uintptr(pair[0]), "broker"), os.NewFile(uintptr(pair[1]), "lens")
	defer ours.Close()
	defer theirs.Close()
	cmd := Command(context.Background())
	cmd.Env, cmd.ExtraFiles = []string{brokerEnv + "=" + strings.Join(allowed, ",")}, []*os.File{theirs}
	if err := cmd.Start(); err != nil {
		return nil, failure("the loopback broker did not start", err)
	}
	go func() { _ = cmd.Wait() }() // the socket shows when it exits
	conn, err := net.FileConn(ours)
	if err != nil {
		return nil, failure("the loopback broker is unreachable", err)
	}
	return &broker{allowed: slices.Clone(allowed), conn: conn.(*net.UnixConn)}, nil
}

func (b *broker) close() {
	if b != nil {
		_ = b.conn.Close()
	}
}

// dial returns a connection to one of the fixed addresses.
func (b *broker) dial(ctx context.Context, network, address string) (net.Conn, error) {
	n := -1
	if b != nil && strings.HasPrefix(network, "tcp") {
		n = slices.IndexFunc(b.allowed, func(fixed string) bool { return strings.EqualFold(fixed, address) })
	}
	if n < 0 {
		return nil, ErrOffline
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	_ = b.conn.SetDeadline(time.Now().Add(brokerTimeout))
	defer b.interruptWith(ctx)()
	b.lastRequest++
	if _, err := b.conn.Write([]byte{byte(n), b.lastRequest}); err != nil {
		return nil, fmt.Errorf("broker request: %w", err)
	}
	for {
		conn, request, err := b.receive()
		if request == b.lastRequest || err != nil && conn == nil && request == 0 {
			return conn, err
		}
		if conn != nil {
			_ = conn.Close()
		}
	}
}

// interruptWith interrupts the exchange with the broker when ctx ends. Call done before the next exchange.
func (b *broker) interruptWith(ctx context.Context) (done func()) {
	interrupted := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		_ = b.conn.SetDeadline(time.Now())
		close(interrupted)
	})
	return func() {
		if !stop() {
			<-interrupted
		}
	}
}

// receive reads a reply of the broker: the request number and a socket, or the request number and an error message.
func (b *broker) receive() (conn net.Conn, request byte, err error) {
	text, rights := make([]byte, 512), make([]byte, unix.CmsgSpace(4))
	n, nr, _, _, err := b.conn.ReadMsgUnix(text, rights)
	if err != nil || n == 0 {
		return nil, 0, fmt.Errorf("broker reply: %w", cmp.Or(err, io.EOF))
	}
	request = text[0]
	messages, err := unix.ParseSocketControlMessage(rights[:nr])
	if err != nil || len(messages) != 1 {
		return nil, request, fmt.Errorf("broker: %s", text[1:n])
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil || len(fds) != 1 {
		return nil, request, errors.New("the broker sent no socket")
	}
	file := os.NewFile(uintptr(fds[0]), "loopback")
	defer file.Close()
	if why := unsafeReason(fds[0]); why != "" {
		return nil, request, errors.New("the broker sent " + why)
	}
	conn, err = net.FileConn(file)
	return conn, request, err
}

// runBroker serves requests until the other end closes the socket. It ignores signals, which are meant for that
// process. Because it has no filter, it is not dumpable: only root can attach to it.
func runBroker(allowed string) int {
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return 1
	}
	signal.Ignore(os.Interrupt, unix.SIGTERM, unix.SIGHUP)
	file := os.NewFile(brokerFD, "lens")
	end, err := net.FileConn(file)
	if err != nil {
		return 1
	}
	_ = file.Close()
	conn, ok := end.(*net.UnixConn)
	if !ok {
		return 1
	}
	addresses := strings.Split(allowed, ",")
	for request := make([]byte, 2); ; {
		n, err := conn.Read(request)
		if err != nil || n == 0 {
			return 0
		}
		if n != len(request) || int(request[0]) >= len(addresses) {
			return 1
		}
		if sendSocket(conn, addresses[request[0]], request[1]) != nil {
			return 1
		}
	}
}

// sendSocket connects to address and sends the socket, or the error.
func sendSocket(to *net.UnixConn, address string, request byte) error {
	conn, err := dialLoopback(address)
	if err != nil {
		_, _, err = to.WriteMsgUnix(append([]byte{request}, err.Error()...), nil, nil)
		return err
	}
	defer conn.Close()
	file, err := conn.File()
	if err != nil {
		return err
	}
	defer file.Close()
	_, _, err = to.WriteMsgUnix([]byte{request}, unix.UnixRights(int(file.Fd())), nil)
	return err
}

// dialLoopback also binds the local end to loopback, so that the socket can never be connected anywhere else.
func dialLoopback(address string) (conn *net.TCPConn, err error) {
	targets, err := resolveLoopback(address)
	if err != nil {
		return nil, err
	}
	for _, target := range targets {
		near := net.TCPAddrFromAddrPort(netip.AddrPortFrom(target.Addr(), 0))
		d := net.Dialer{LocalAddr: near, Timeout: brokerTimeout, Control: allowLoopback}
		var c net.Conn
		if c, err = d.Dial("tcp", target.String()); err == nil {
			return c.(*net.TCPConn), nil
		}
	}
	return nil, err
}

// resolveLoopback returns the addresses for host:port without using a name server.
func resolveLoopback(address string) ([]netip.AddrPort, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	hosts := []string{host}
	if strings.EqualFold(host, "localhost") {
		hosts = []string{"127.0.0.1", "::1"}
	}
	var all []netip.AddrPort
	for _, h := range hosts {
		target, err := netip.ParseAddrPort(net.JoinHostPort(h, port))
		if err != nil || !target.Addr().IsLoopback() {
			return nil, fmt.Errorf("not a loopback address: %w", ErrOffline)
		}
		all = append(all, target)
	}
	return all, nil
}
