package s3test

import (
	"context"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// Line is a network whose connections fail as they are told to.
type Network struct {
	Fault       func(nth int) Fault // of the n-th connection, from 0; it may be asked for several at a time
	Connections atomic.Int64        // connections; there is one a request
}

// Fault is what happens to a connection. The zero value is nothing.
type Fault struct {
	After int           // bytes that come before it
	Kind  FaultKind     // what happens then
	Delay time.Duration // before every piece, besides
}

// How is a way for a connection to fail.
type FaultKind int

// The ways.
const (
	NoFault         FaultKind = iota
	Reset                     // the connection is reset
	Silence                   // nothing more comes
	ResetAfterReply           // what comes is lost, and then the connection is reset
)

// Always returns a line all of whose connections have a fault.
func Always(f Fault) *Network { return &Network{Fault: func(int) Fault { return f }} }

// First returns a line whose first connection has a fault.
func First(f Fault) *Network {
	return &Network{Fault: func(nth int) Fault {
		if nth == 0 {
			return f
		}
		return Fault{}
	}}
}

// Transport returns one over the line, with a connection a request.
func (l *Network) Transport(t testing.TB) *http.Transport {
	transport := &http.Transport{DisableKeepAlives: true, DialContext: l.dial}
	t.Cleanup(transport.CloseIdleConnections)
	return transport
}

func (l *Network) dial(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := (&net.Dialer{}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	f := l.Fault(int(l.Connections.Add(1)) - 1)
	return &faultyConn{Conn: c, Fault: f, left: f.After, closed: make(chan struct{})}, nil
}

type faultyConn struct {
	net.Conn
	Fault
	left   int
	once   sync.Once
	closed chan struct{}
}

func (c *faultyConn) Read(p []byte) (int, error) {
	if c.Delay > 0 {
		select {
		case <-time.After(c.Delay):
		case <-c.closed:
			return 0, net.ErrClosed
		}
	}
	if c.Kind != NoFault && c.left == 0 {
		switch c.Kind {
		case Silence:
			<-c.closed
			return 0, net.ErrClosed
		case ResetAfterReply:
			_, _ = c.Conn.Read(make([]byte, 1)) // the other side has done what it was asked to
		}
		return 0, &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}
	}
	if c.Kind != NoFault {
		p = p[:min(len(p), c.left)]
	}
	n, err := c.Conn.Read(p)
	c.left -= n
	return n, err
}

func (c *faultyConn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Conn.Close()
}
