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

// broker is a process outside the filter that connects to fixed loopback addresses and passes the connected sockets on. All it is ever told
// is the number of an address: what goes over a connection does not go through it. It ends when this process does.
type broker struct {
	reach []string

	mu   sync.Mutex
	asks byte // counts, so that an answer nobody waited for is not taken for the next
	conn *net.UnixConn
}

const (
	brokerFD = 3 // where a broker finds its socket
	patience = 10 * time.Second
	maxReach = 64
)

// startBroker returns nil when nothing needs reaching.
func startBroker(reach []string) (*broker, error) {
	for _, address := range reach {
		if _, err := loopbacks(address); err != nil {
			return nil, failure("only loopback can be reached through the broker", err)
		}
	}
	if len(reach) == 0 {
		return nil, nil
	}
	if len(reach) > maxReach {
		return nil, failure(fmt.Sprintf("at most %d addresses can be reached through the broker", maxReach), nil)
	}
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, failure("no broker for loopback can be started", err)
	}
	ours, theirs := os.NewFile(uintptr(pair[0]), "broker"), os.NewFile(uintptr(pair[1]), "lens")
	defer ours.Close()
	defer theirs.Close()
	cmd := Command(context.Background())
	cmd.Env, cmd.ExtraFiles = []string{brokerEnv + "=" + strings.Join(reach, ",")}, []*os.File{theirs}
	if err := cmd.Start(); err != nil {
		return nil, failure("no broker for loopback can be started", err)
	}
	go func() { _ = cmd.Wait() }() // its end shows at the socket
	conn, err := net.FileConn(ours)
	if err != nil {
		return nil, failure("the broker for loopback cannot be spoken to", err)
	}
	return &broker{reach: slices.Clone(reach), conn: conn.(*net.UnixConn)}, nil
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
		n = slices.IndexFunc(b.reach, func(fixed string) bool { return strings.EqualFold(fixed, address) })
	}
	if n < 0 {
		return nil, ErrOffline
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	_ = b.conn.SetDeadline(time.Now().Add(patience))
	defer b.interruptWith(ctx)()
	b.asks++
	if _, err := b.conn.Write([]byte{byte(n), b.asks}); err != nil {
		return nil, fmt.Errorf("ask the broker: %w", err)
	}
	for {
		conn, ask, err := b.receive()
		if ask == b.asks || err != nil && conn == nil && ask == 0 {
			return conn, err
		}
		if conn != nil {
			_ = conn.Close()
		}
	}
}

// interruptWith makes waiting for the broker end with ctx. done must be called before the next wait.
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

// receive reads an answer of the broker, which begins with the number of what was asked: a socket, or why there is none.
func (b *broker) receive() (conn net.Conn, ask byte, err error) {
	text, rights := make([]byte, 512), make([]byte, unix.CmsgSpace(4))
	n, nr, _, _, err := b.conn.ReadMsgUnix(text, rights)
	if err != nil || n == 0 {
		return nil, 0, fmt.Errorf("hear the broker: %w", cmp.Or(err, io.EOF))
	}
	ask = text[0]
	messages, err := unix.ParseSocketControlMessage(rights[:nr])
	if err != nil || len(messages) != 1 {
		return nil, ask, fmt.Errorf("dial by the broker: %s", text[1:n])
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil || len(fds) != 1 {
		return nil, ask, errors.New("the broker passed no socket")
	}
	file := os.NewFile(uintptr(fds[0]), "loopback")
	defer file.Close()
	if why := reaches(fds[0]); why != "" {
		return nil, ask, errors.New("the broker passed " + why)
	}
	conn, err = net.FileConn(file)
	return conn, ask, err
}

// runBroker serves until the other end of the socket is closed. Signals are for the process that asks.
// As it has no filter, nobody but root may take hold of it: not the process that asks either.
func runBroker(reach string) int {
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
	addresses := strings.Split(reach, ",")
	for ask := make([]byte, 2); ; {
		n, err := conn.Read(ask)
		if err != nil || n == 0 {
			return 0
		}
		if n != len(ask) || int(ask[0]) >= len(addresses) || pass(conn, addresses[ask[0]], ask[1]) != nil {
			return 1
		}
	}
}

// pass connects to address and sends the socket, or why there is none.
func pass(to *net.UnixConn, address string, ask byte) error {
	conn, err := dialLoopback(address)
	if err != nil {
		_, _, err = to.WriteMsgUnix(append([]byte{ask}, err.Error()...), nil, nil)
		return err
	}
	defer conn.Close()
	file, err := conn.File()
	if err != nil {
		return err
	}
	defer file.Close()
	_, _, err = to.WriteMsgUnix([]byte{ask}, unix.UnixRights(int(file.Fd())), nil)
	return err
}

// dialLoopback binds the near end to loopback too: such a socket can never be connected to anywhere else.
func dialLoopback(address string) (conn *net.TCPConn, err error) {
	targets, err := loopbacks(address)
	if err != nil {
		return nil, err
	}
	for _, target := range targets {
		near := net.TCPAddrFromAddrPort(netip.AddrPortFrom(target.Addr(), 0))
		d := net.Dialer{LocalAddr: near, Timeout: patience, Control: onlyLoopback}
		var c net.Conn
		if c, err = d.Dial("tcp", target.String()); err == nil {
			return c.(*net.TCPConn), nil
		}
	}
	return nil, err
}

// loopbacks returns what host:port stands for, without asking a name server.
func loopbacks(address string) ([]netip.AddrPort, error) {
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
