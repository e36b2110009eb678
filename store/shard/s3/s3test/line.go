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
type Line struct {
	Fault func(nth int) Fault // of the n-th connection, from 0; it may be asked for several at a time
	Made  atomic.Int64        // connections; there is one a request
}

// Fault is what happens to a connection. The zero value is nothing.
type Fault struct {
	After int           // bytes that come before it
	How   How           // what happens then
	Slow  time.Duration // before every piece, besides
}

// How is a way for a connection to fail.
type How int

// The ways.
const (
	Not     How = iota
	Cut         // the connection is reset
	Silence     // nothing more comes
	Lost        // what comes is lost, and then the connection is reset
)

// Always returns a line all of whose connections have a fault.
func Always(f Fault) *Line { return &Line{Fault: func(int) Fault { return f }} }

// First returns a line whose first connection has a fault.
func First(f Fault) *Line {
	return &Line{Fault: func(nth int) Fault {
		if nth == 0 {
			return f
		}
		return Fault{}
	}}
}

// Transport returns one over the line, with a connection a request.
func (l *Line) Transport(t testing.TB) *http.Transport {
	transport := &http.Transport{DisableKeepAlives: true, DialContext: l.dial}
	t.Cleanup(transport.CloseIdleConnections)
	return transport
}

func (l *Line) dial(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := (&net.Dialer{}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	f := l.Fault(int(l.Made.Add(1)) - 1)
	return &faulty{Conn: c, Fault: f, left: f.After, closed: make(chan struct{})}, nil
}

type faulty struct {
	net.Conn
	Fault
	left   int
	once   sync.Once
	closed chan struct{}
}

func (c *faulty) Read(p []byte) (int, error) {
	if c.Slow > 0 {
		select {
		case <-time.After(c.Slow):
		case <-c.closed:
			return 0, net.ErrClosed
		}
	}
	if c.How != Not && c.left == 0 {
		switch c.How {
		case Silence:
			<-c.closed
			return 0, net.ErrClosed
		case Lost:
			_, _ = c.Conn.Read(make([]byte, 1)) // the other side has done what it was asked to
		}
		return 0, &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}
	}
	if c.How != Not {
		p = p[:min(len(p), c.left)]
	}
	n, err := c.Conn.Read(p)
	c.left -= n
	return n, err
}

func (c *faulty) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Conn.Close()
}
