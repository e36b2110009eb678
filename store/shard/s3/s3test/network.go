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

// Network is a network whose connections fail as configured.
type Network struct {
	Fault       func(nth int) Fault // of the n-th connection, from 0; called concurrently
	Connections atomic.Int64        // one per request
}

// Fault is the failure of a connection. The zero value does nothing.
type Fault struct {
	After int           // bytes received before the failure
	Kind  FaultKind     // the failure
	Delay time.Duration // before every read
}

// FaultKind is a way for a connection to fail.
type FaultKind int

// Kinds of failure.
const (
	NoFault         FaultKind = iota
	Reset                     // the connection is reset
	Silence                   // no more data arrives
	ResetAfterReply           // the reply is lost and the connection is reset
)

// Always returns a network in which every connection has a fault.
func Always(f Fault) *Network { return &Network{Fault: func(int) Fault { return f }} }

// First returns a network in which only the first connection has a fault.
func First(f Fault) *Network {
	return &Network{Fault: func(nth int) Fault {
		if nth == 0 {
			return f
		}
		return Fault{}
	}}
}

// Transport returns a transport over the network, with one connection per request.
func (n *Network) Transport(t testing.TB) *http.Transport {
	transport := &http.Transport{DisableKeepAlives: true, DialContext: n.dial}
	t.Cleanup(transport.CloseIdleConnections)
	return transport
}

func (n *Network) dial(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := (&net.Dialer{}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	f := n.Fault(int(n.Connections.Add(1)) - 1)
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
			_, _ = c.Conn.Read(make([]byte, 1)) // the server has processed the request
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
