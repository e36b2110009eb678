package postgres

import (
	"context"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// freezer is a network that, while it is frozen, delivers nothing: neither data nor the end of a connection.
type freezer struct {
	frozen atomic.Bool
	ended  chan struct{}
	pipes  sync.WaitGroup
}

// through returns a dialer whose connections use the network.
func (f *freezer) through(t *testing.T) func(context.Context, string, string) (net.Conn, error) {
	t.Helper()
	f.ended = make(chan struct{})
	t.Cleanup(func() {
		close(f.ended)
		f.pipes.Wait()
	})
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		server, err := (&net.Dialer{}).DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		near, far := net.Pipe()
		f.pipes.Go(func() { f.pipe(far, server) })
		f.pipes.Go(func() { f.pipe(server, far) })
		return near, nil
	}
}

// pipe copies data while the network is not frozen.
func (f *freezer) pipe(to, from net.Conn) {
	defer to.Close()
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		for f.frozen.Load() {
			select {
			case <-f.ended:
				return
			case <-time.After(time.Millisecond):
			}
		}
		if _, failed := to.Write(buffer[:n]); failed != nil || err != nil {
			return
		}
	}
}
