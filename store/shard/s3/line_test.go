package s3_test

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

// line is a network whose connections fail as they are told to.
type line struct {
	fault func(nth int) fault // of the n-th connection, from 0
	made  atomic.Int64
}

// fault is what happens to a connection. The zero value is nothing.
type fault struct {
	after int           // bytes that come before it
	how   how           // what happens then
	slow  time.Duration // before every piece, besides
}

type how int

const (
	nothing how = iota
	cut         // the connection is reset
	silence     // nothing more comes
	lost        // what comes is lost, and then the connection is reset
)

// transport returns one over the line, with a connection a request.
func (l *line) transport(t *testing.T) *http.Transport {
	transport := &http.Transport{DisableKeepAlives: true, DialContext: l.dial}
	t.Cleanup(transport.CloseIdleConnections)
	return transport
}

func (l *line) dial(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := (&net.Dialer{}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	f := l.fault(int(l.made.Add(1)) - 1)
	return &faulty{Conn: c, fault: f, left: f.after, closed: make(chan struct{})}, nil
}

type faulty struct {
	net.Conn
	fault
	left   int
	once   sync.Once
	closed chan struct{}
}

func (c *faulty) Read(p []byte) (int, error) {
	if c.slow > 0 {
		select {
		case <-time.After(c.slow):
		case <-c.closed:
			return 0, net.ErrClosed
		}
	}
	if c.how != nothing && c.left == 0 {
		switch c.how {
		case silence:
			<-c.closed
			return 0, net.ErrClosed
		case lost:
			_, _ = c.Conn.Read(make([]byte, 1)) // the other side has done what it was asked to
		}
		return 0, &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}
	}
	if c.how != nothing {
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
